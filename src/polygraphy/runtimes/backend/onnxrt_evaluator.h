// The Evaluator of folding, implemented with ONNX Runtime.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "graphsurgeon/fold/evaluator.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy {

class BundledRuntime;

// Runs regions on the bundled runtime, each node by itself. Nothing is opened before the first
// evaluate(); each evaluate() is one session, closed when it returns.
//
// Tensors of every type that ONNX Runtime has, strings included. Errors, besides the runtime's: a
// feed of a type that it does not take (named, with its type); an output that is not a tensor, or
// for which the runtime returns nothing; ONNX Runtime missing, with the package to install.
class OnnxrtEvaluator final : public graphsurgeon::Evaluator {
 public:
  // Shares a runtime, which must outlive this.
  explicit OnnxrtEvaluator(BundledRuntime& runtime);
  // Opens a separate runtime.
  OnnxrtEvaluator(PluginPaths paths, Logger& log, CancelToken cancel = {});
  ~OnnxrtEvaluator() override;

  // The feeds' bytes are read where they lie (at unaligned addresses: copied once), and no result
  // refers to them. O(what the runtime does).
  std::vector<Array> evaluate(const graphsurgeon::Model& region,
                              const std::vector<std::pair<std::string, Array>>& feeds) override;

  // Sessions of the runtime so far.
  int64_t sessions() const;

 private:
  std::unique_ptr<BundledRuntime> own_;
  BundledRuntime& runtime_;
};

}  // namespace polygraphy
