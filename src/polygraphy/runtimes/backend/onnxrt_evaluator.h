// The Evaluator of folding, implemented with ONNX Runtime.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "graphsurgeon/fold/evaluator.h"
#include "polygraphy/runtimes/backend/call_limits.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy {

class BundledRuntime;

// Runs regions on the bundled runtime, each node by itself. Nothing is opened before the first
// evaluate(); each evaluate() is one session, closed when it returns.
//
// Tensors of every type that ONNX Runtime has, strings included. Errors, besides the runtime's: a
// feed of a type that it does not take (named, with its type); an output that is not a tensor, or
// for which the runtime returns nothing; ONNX Runtime missing, with the package to install; a
// region that exceeds the limits: a constant Loop may run for ever, or double a tensor until memory
// ends.
class OnnxrtEvaluator final : public graphsurgeon::Evaluator {
 public:
  // Of each evaluate(); each that is stopped halves the time of the next ones, to a second at
  // least. Regions with large constants may take eight times their size.
  static constexpr CallLimits kLimits{.seconds = 30, .bytes = uint64_t{4} << 30};
  // The same with FoldOptions::memory_limit in bytes. The session itself and the constants, which
  // it reads, come on top.
  static CallLimits limits_with(std::optional<int64_t> memory_limit);

  // Shares a runtime, which must outlive this.
  explicit OnnxrtEvaluator(BundledRuntime& runtime);
  // Opens a separate runtime.
  OnnxrtEvaluator(PluginPaths paths, Logger& log, CancelToken cancel = {},
                  CallLimits limits = kLimits);
  ~OnnxrtEvaluator() override;

  // The feeds' bytes are read where they lie (at unaligned addresses: copied once), and no result
  // refers to them. O(work of the runtime).
  std::vector<Array> evaluate(const graphsurgeon::Model& region,
                              const std::vector<std::pair<std::string, Array>>& feeds) override;

  // Sessions of the runtime so far.
  int64_t sessions() const;

 private:
  std::unique_ptr<BundledRuntime> own_;
  BundledRuntime& runtime_;
  CallLimits limits_ = kLimits;
};

}  // namespace polygraphy
