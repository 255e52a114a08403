// The ONNX Runtime that set-up brought: what folds, checks and finds out shapes. Models
// in memory in, loaded models out.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/log.h"
#include "base/os/crash_message.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/backend/instance.h"
#include "polygraphy/backend/plugin_host.h"

namespace polygraphy {

// `paths` without what the user chose for running models (the active Python environment, named
// libraries), so that the same model folds to the same bytes everywhere. What set-up brought comes
// first, then the system.
PluginPaths bundled_only(PluginPaths paths);

// For sessions of it that run a model once, each node by itself.
SessionOptions bundled_options();

// While this lives, a crash of our process is put down to it, which is `doing` something, a
// literal.
class BundledCrash : CrashContext {
 public:
  explicit BundledCrash(const char* doing) noexcept;
};

// Nothing is opened before the first load().
class BundledRuntime {
 public:
  // `log` and `cancel` (may be null; load() and inferences throw Interrupted when it becomes true)
  // must outlive this. The engine's own messages appear from VERBOSE on.
  BundledRuntime(PluginPaths paths, Logger& log, const std::atomic<bool>* cancel = nullptr);
  ~BundledRuntime();
  BundledRuntime(const BundledRuntime&) = delete;
  BundledRuntime& operator=(const BundledRuntime&) = delete;

  // On the CPU provider, each node by itself: graph optimizations are off, so the values are those
  // of the operators as they stand; what a run frees goes back to the system. The session outlives
  // neither this nor the model's file. Throws Error: the engine's reason, or that there is none,
  // with what to install.
  std::unique_ptr<BackendSession> load(const graphsurgeon::Model& model);

  // Sessions opened so far.
  int64_t sessions() const { return sessions_; }

 private:
  struct State;
  std::unique_ptr<State> state_;
  int64_t sessions_ = 0;
};

// Whether any version of the engine has tensors of this type.
bool onnxrt_takes(DataType type);

}  // namespace polygraphy
