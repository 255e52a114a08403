// Something that runs a model: the original's BaseRunner.
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

// The runtime, or the process that it is in, is what failed: it refuses the model, cannot run it,
// crashed, or hangs. Other runners may do better with the same model and inputs; of every other
// Error (a file, an option, a feed) they would say the same.
class RunnerFailure : public Error {
 public:
  using Error::Error;
};

class Runner {
 public:
  virtual ~Runner() = default;

  // "<prefix>-N<count>-<date>-<time>", fixed at creation.
  const std::string& name() const { return name_; }

  // Loads the model. Everything below needs an active runner (checked). Throws Error; the runner is
  // inactive then. Activating an active runner, and deactivating an inactive one, warns and does
  // nothing.
  void activate();
  // Starts in the background what activate() will wait for, where that is possible, so that several
  // runners get ready side by side. Fails in silence: activate() then says why.
  virtual void begin_activation() noexcept {}
  void deactivate() noexcept;
  // Starts in the background what deactivate() will wait for, where that is possible; nothing else
  // may be asked of it then.
  virtual void begin_deactivation() noexcept {}
  bool active() const { return active_; }

  // In the runtime's order. Cached after the first call.
  const Metadata& input_metadata();
  // Checks names, kinds, types and shapes of the feeds, runs once and returns the outputs in the
  // back end's order. The arrays own their memory. A sequence of one may be given as that tensor.
  // Throws Error naming runner and tensor; RunnerFailure for what is no tensor but should be one.
  ValueMap infer(const ValueMap& feeds);
  // Seconds the last infer() spent in the runtime.
  double last_inference_seconds() const { return seconds_; }
  // Times of single nodes in the last infer(), in order of execution, of a runner made with the
  // SessionOptions::profile. Throws Error when the runtime does not tell.
  virtual std::vector<NodeTime> node_times();
  // The format of numbers that the runtime computes in, by its name in ONNX ("bfloat16"), which may
  // be another one than was asked of it. Known from the first activation on; empty: it does not
  // tell.
  virtual std::string precision() { return {}; }

 protected:
  // `log` must outlive the runner; without one warnings are dropped.
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

// Deactivates at the end of the scope.
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
