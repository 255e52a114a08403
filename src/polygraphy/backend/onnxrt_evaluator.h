// Folding's engine: ONNX Runtime behind the interface through which folding asks (DESIGN §6).
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/fold/evaluator.h"
#include "polygraphy/backend/plugin_host.h"

namespace polygraphy {

// Where the engine of folding and of checks is looked for: `paths` without what the user chose for
// running models (the active Python environment, named libraries), so that the same model folds to
// the same bytes everywhere. What set-up brought comes first, then the system.
PluginPaths bundled_only(PluginPaths paths);

// Runs regions on ONNX Runtime's CPU provider, each node by itself: graph optimizations are off, so
// the values are those of the operators as they stand. Nothing is opened before the first
// evaluate(); each evaluate() is one session, gone when it returns.
//
// Tensors of every type that ONNX Runtime has, strings included. Errors, besides the engine's: a
// feed of a type that it does not take (named, with its type); an output that is no tensor, or of
// which the engine delivers nothing; ONNX Runtime missing, with what to install.
class OnnxrtEvaluator final : public graphsurgeon::Evaluator {
 public:
  // `log` and `cancel` (may be null; evaluate() throws Interrupted when it becomes true) must
  // outlive this. The engine's own messages appear from VERBOSE on.
  OnnxrtEvaluator(PluginPaths paths, Logger& log, const std::atomic<bool>* cancel = nullptr);
  ~OnnxrtEvaluator() override;

  // The feeds' bytes are read where they lie (at addresses that are not aligned: copied once), and
  // no result refers to them. O(what the engine does).
  std::vector<Array> evaluate(const graphsurgeon::Model& region,
                              const std::vector<std::pair<std::string, Array>>& feeds) override;

  // Sessions opened so far.
  int64_t sessions() const { return sessions_; }

 private:
  struct State;
  std::unique_ptr<State> state_;
  int64_t sessions_ = 0;
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
