// Folding's engine: ONNX Runtime behind the interface through which folding asks.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/fold/evaluator.h"
#include "polygraphy/backend/bundled_runtime.h"
#include "polygraphy/backend/plugin_host.h"

namespace polygraphy {

// Runs regions on the bundled engine, each node by itself. Nothing is opened before the first
// evaluate(); each evaluate() is one session, gone when it returns.
//
// Tensors of every type that ONNX Runtime has, strings included. Errors, besides the engine's: a
// feed of a type that it does not take (named, with its type); an output that is no tensor, or of
// which the engine delivers nothing; ONNX Runtime missing, with what to install.
class OnnxrtEvaluator final : public graphsurgeon::Evaluator {
 public:
  // Shares the engine with whoever else runs models on it; it must outlive this.
  explicit OnnxrtEvaluator(BundledRuntime& runtime) : runtime_(runtime) {}
  // With an engine of its own.
  OnnxrtEvaluator(PluginPaths paths, Logger& log, const std::atomic<bool>* cancel = nullptr)
      : own_(std::make_unique<BundledRuntime>(std::move(paths), log, cancel)), runtime_(*own_) {}

  // The feeds' bytes are read where they lie (at addresses that are not aligned: copied once), and
  // no result refers to them. O(what the engine does).
  std::vector<Array> evaluate(const graphsurgeon::Model& region,
                              const std::vector<std::pair<std::string, Array>>& feeds) override;

  // Sessions opened on the engine so far.
  int64_t sessions() const { return runtime_.sessions(); }

 private:
  std::unique_ptr<BundledRuntime> own_;
  BundledRuntime& runtime_;
};

// The evaluator for programs that link the libraries and have no command line. `tree`: an installed
// or built tree, with lib/polygraphy/backends and lib/polygraphy/engines in it.
#ifdef POLYGRAPHY_TREE  // where this header lies, told by CMake
std::unique_ptr<graphsurgeon::Evaluator> default_evaluator(
    Logger& log, const std::string& tree = POLYGRAPHY_TREE);
#else
std::unique_ptr<graphsurgeon::Evaluator> default_evaluator(Logger& log, const std::string& tree);
#endif

}  // namespace polygraphy
