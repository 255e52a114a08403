// The ONNX Runtime that set-up fetched, in this process: it folds constants, verifies rewrites,
// observes shapes and checks models that are in memory. For models that may crash it:
// worker/worker_client.h.
#pragma once

#include <cstdint>
#include <memory>

#include "base/cancel.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/runtimes/backend/call_limits.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"
#include "polygraphy/runtimes/backend/session_options.h"

namespace polygraphy {

class BackendSession;

// `paths` without the user's choices for running models (the active Python environment, named
// libraries), so that the same model folds to the same bytes everywhere. The libraries of set-up
// come first, then the system's. An installation that brought none (the wheel) has the user's
// choices: `paths` as they are.
PluginPaths bundled_only(PluginPaths paths);

// The CPU provider without graph optimizations, so the values come from the operators as they
// stand; freed memory goes back to the system.
SessionOptions bundled_options();

// Nothing is opened before the first open() or load().
class BundledRuntime {
 public:
  // The runtime's own messages become VERBOSE lines of `log`, which must outlive this. load() and
  // run_model() throw Interrupted once `cancel` is cancelled.
  BundledRuntime(PluginPaths paths, Logger& log, CancelToken cancel = {});
  // The runtime's own messages go to `messages` as they are.
  BundledRuntime(PluginPaths paths, std::unique_ptr<Logger> messages, CancelToken cancel = {});
  ~BundledRuntime();
  BundledRuntime(const BundledRuntime&) = delete;
  BundledRuntime& operator=(const BundledRuntime&) = delete;

  // PluginHost::limit_calls().
  CallLimits limit_calls(CallLimits limits);
  // Throws Error when ONNX Runtime is not available, with the remedy.
  void open();
  // The session outlives neither this nor the model's file. Throws Error: the runtime's reason, or
  // as open(). The crash message has `doing` (a literal), the work of the runtime.
  std::unique_ptr<BackendSession> load(const graphsurgeon::Model& model,
                                       const SessionOptions& options = bundled_options(),
                                       const char* doing = "loaded a part of the model");

  // Sessions loaded so far.
  int64_t sessions() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Limits the calls of a runtime as long as it lives.
class LimitedCalls {
 public:
  LimitedCalls(BundledRuntime& runtime, CallLimits limits)
      : runtime_(runtime), before_(runtime.limit_calls(limits)) {}
  ~LimitedCalls() { runtime_.limit_calls(before_); }
  LimitedCalls(const LimitedCalls&) = delete;
  LimitedCalls& operator=(const LimitedCalls&) = delete;

 private:
  BundledRuntime& runtime_;
  const CallLimits before_;
};

// The outputs of one inference. The session takes its inputs from `feeds` by name; other entries
// are left out. Throws Error, also when an input is missing that is not optional; Interrupted.
ValueMap run_model(BackendSession& session, const ValueMap& feeds,
                   const char* doing = "ran the model");

// Whether any version of ONNX Runtime has tensors of this type.
bool onnxrt_takes(DataType type);

}  // namespace polygraphy
