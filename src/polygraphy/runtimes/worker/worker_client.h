// Our side of a runner's process (worker_process.h): it is given one model after another, and lives
// until it crashes or is no longer needed.
//
// Tensors go through shared memory, everything else over a socket; messages of the process appear
// in our log as if they came from here.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "base/os/child_process.h"
#include "base/os/exit_status.h"
#include "polygraphy/runtimes/backend/calibration_batches.h"
#include "polygraphy/runtimes/backend/compile.h"
#include "polygraphy/runtimes/backend/node_time.h"
#include "polygraphy/runtimes/backend/runner.h"
#include "polygraphy/runtimes/worker/shared_tensors.h"
#include "polygraphy/runtimes/worker/worker_message.h"
#include "polygraphy/runtimes/worker/worker_request.h"

namespace polygraphy {

// The process ended by itself: a crash, most often.
class WorkerDied : public RunnerFailure {
 public:
  WorkerDied(const std::string& message, std::string hint, ExitStatus status)
      : RunnerFailure(message, std::move(hint)), status_(status) {}
  const ExitStatus& status() const { return status_; }

 private:
  ExitStatus status_;
};

// A signal from outside has ended a process, as for lack of memory.
inline bool is_killed(const Error& error) {
  const auto* died = dynamic_cast<const WorkerDied*>(&error);
  return died && ended_from_outside(died->status());
}

// It was killed because its time was up.
class WorkerTookTooLong : public RunnerFailure {
 public:
  using RunnerFailure::RunnerFailure;
};

// One thread, the one that makes it; the process lives no longer than that.
class WorkerClient {
 public:
  // `program`: as Isolation::program. `request.thresholds` are set here. Nothing is started yet.
  // `log` must outlive this.
  WorkerClient(std::string program, WorkerRequest request, Logger& log);
  ~WorkerClient();
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;

  // Seconds that each answer may take from now on; none: any.
  void set_timeout(std::optional<double> seconds) { timeout_ = seconds; }
  // Calls that wait throw Interrupted once it is cancelled.
  void set_cancel(CancelToken cancel) { cancel_ = cancel; }
  bool running() const { return child_ != nullptr; }
  // Whether this process would open the same library for the request of the other one.
  bool has_library_of(const WorkerClient& other) const;
  // Takes the request, log and limits of the other one for the next model.
  void serve(const WorkerClient& other);
  void log_to(Logger& log) { log_ = &log; }
  // The most memory of the process and those it started since the reset, in bytes; without a reset,
  // since its start. nullopt: there is no process, or the system does not reset the figure.
  std::optional<uint64_t> peak_memory() const;
  void reset_peak_memory();

  // Starts the process unless it runs, and has it load the model of the request, or the file
  // `model` instead. Throws Error.
  void begin_load(const std::string& model = {});
  // The metadata of its inputs. Throws as the runner there, and WorkerDied, WorkerTookTooLong,
  // Interrupted; the process is kept after the first, and gone after the others.
  Metadata finish_load();
  // Of the loaded model's runner: Runner::precision().
  const std::string& precision() const { return precision_; }
  // Of its library.
  const std::string& version() const { return version_; }
  // The version of the request's library, in the process, which is started unless it runs. Throws
  // the same.
  std::string library_version();
  // compile() of the request's model in the process, which is started unless it runs. `path`: the
  // file for the answer, written atomically; empty: it is returned. `model`: instead of the
  // request's, if not empty. Throws the same.
  std::string compile(Compilation wanted, const std::string& path = {},
                      const std::string& model = {});
  // Outputs are views of shared memory. Throws the same.
  Inference infer(const ValueMap& feeds);
  std::vector<NodeTime> node_times();
  // Has the process let go of its model. Throws WorkerDied, WorkerTookTooLong, Interrupted.
  void unload();
  // Has the process begin to end; stop() waits for it.
  void begin_stop() noexcept;
  // Lets the process free what it holds and end; its last messages are shown. One that crashes or
  // hangs over that is warned of. It may take as long as an answer, and ten seconds at most.
  void stop() noexcept;
  // Ends the process, whatever state it is in.
  void end() noexcept;

 private:
  void start();
  WorkerMessage ask(std::string_view doing);
  FieldWriter begin_request(const std::string& model);
  bool relay(const WorkerMessage& message);
  void send_batch(FieldReader& wanted);
  void show_standard_error();
  std::string label() const;  // in front of messages: its runner
  std::string account(std::string_view how, std::string_view doing,
                      std::string_view then = {}) const;
  [[noreturn]] void time_is_up(std::string_view doing);
  [[noreturn]] void died(std::string_view doing);

  std::string program_;
  WorkerRequest request_;
  CancelToken cancel_;
  Logger* log_;
  std::optional<double> timeout_, deadline_;  // deadline_: of the present answer
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<WorkerSocket> socket_;
  SharedHeap heap_;
  bool heap_sent_ = false;
  SharedTensorExporter feeds_{heap_};
  std::optional<CalibrationFailure> batch_failure_;
  std::optional<SharedTensorImporter> outputs_;
  bool stopping_ = false;
  bool peak_is_known_ = true;
  uint64_t printed_ = 0;  // bytes of standard error that have been shown
  std::string precision_, version_;
};

}  // namespace polygraphy
