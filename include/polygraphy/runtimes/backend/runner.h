// Runs a model on a runtime: the original's BaseRunner.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/runtimes/backend/inference.h"
#include "polygraphy/runtimes/backend/node_time.h"

namespace polygraphy {

// The runtime or its process failed: it refused the model, could not run it, crashed, or hung.
// Other runners may succeed with the same model and inputs; every other Error (a file, an option, a
// feed) would affect them, too.
class RunnerFailure : public Error {
 public:
  using Error::Error;
};

class Runner {
 public:
  virtual ~Runner() = default;

  // "<prefix>-N<count>-<date>-<time>", fixed at creation.
  const std::string& name() const { return name_; }

  // Loads the model. All functions below require an active runner (checked). Throws Error; the
  // runner is inactive then. Activating an active runner, or deactivating an inactive one, only
  // warns.
  void activate();
  // Starts activation in the background, if possible, so that several runners activate in parallel;
  // activate() waits for it. Failures are silent: activate() reports them.
  virtual void begin_activation() noexcept {}
  void deactivate() noexcept;
  // Starts deactivation in the background, if possible; deactivate() waits for it and must be the
  // next call.
  virtual void begin_deactivation() noexcept {}
  bool active() const { return active_; }

  // In the runtime's order. Cached after the first call.
  const Metadata& input_metadata();
  // Checks names, kinds, types and shapes of the feeds, runs once and returns the outputs in the
  // back end's order. The arrays own their memory. A tensor stands for a sequence of one. Throws
  // Error naming runner and tensor; RunnerFailure for a value that should be a tensor.
  ValueMap infer(const ValueMap& feeds);
  // Seconds the last infer() spent in the runtime.
  double last_inference_seconds() const { return seconds_; }
  // Times of single nodes in the last infer(), in order of execution, for a runner made with
  // SessionOptions::profile. Throws Error if the runtime does not report them.
  virtual std::vector<NodeTime> node_times();
  // The number format in which the runtime computes, by its name in ONNX ("bfloat16"); it may
  // differ from the requested one. Known after the first activation; empty: the runtime does not
  // report it.
  virtual std::string precision() { return {}; }

 protected:
  // `log` must outlive the runner; without it, warnings are dropped.
  explicit Runner(std::string name, Logger* log = nullptr) : name_(std::move(name)), log_(log) {}
  virtual void activate_impl() = 0;
  virtual void deactivate_impl() noexcept = 0;
  virtual Metadata input_metadata_impl() = 0;
  virtual Inference infer_impl(const ValueMap& feeds) = 0;

 private:
  std::string name_;
  Logger* log_;
  bool active_ = false;
  double seconds_ = 0;
  std::unique_ptr<Metadata> inputs_;
};

// Activates a runner, and deactivates it at the end of the scope.
class ActiveRunner {
 public:
  explicit ActiveRunner(Runner& runner) : runner_(runner) { runner_.activate(); }
  ~ActiveRunner() { runner_.deactivate(); }
  ActiveRunner(const ActiveRunner&) = delete;
  ActiveRunner& operator=(const ActiveRunner&) = delete;
  Runner* operator->() { return &runner_; }
  ValueMap infer(const ValueMap& feeds) { return runner_.infer(feeds); }

 private:
  Runner& runner_;
};

}  // namespace polygraphy
