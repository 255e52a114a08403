#include "polygraphy/diagnosis/zoo/crash_reduction.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "graphsurgeon/io/save.h"
#include "polygraphy/diagnosis/model_checks/model_check.h"
#include "polygraphy/diagnosis/reduce/reduce_job.h"

namespace polygraphy {
namespace {

// A flag that is set after some seconds, or when the whole job is cancelled.
class Deadline {
 public:
  Deadline(double seconds, CancelToken cancel)
      : watcher_([this, seconds, cancel](const std::stop_token& stop) {
          const auto end =
              std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
          std::unique_lock lock(mutex_);
          while (!stop.stop_requested() && std::chrono::steady_clock::now() < end &&
                 !cancel.cancelled()) {
            changed_.wait_for(lock, stop, std::chrono::milliseconds(50), [] { return false; });
          }
          flag_ = true;
        }) {}

  CancelToken token() const { return flag_; }

 private:
  std::atomic<bool> flag_ = false;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread watcher_;  // ends first
};

}  // namespace

std::optional<ReducedModel> reduce_crash(const CrashReduction& crash, RunnerFactory& factory,
                                         Logger& log) {
  const Deadline deadline(crash.seconds, crash.cancel);
  RunnerTools tools = factory.tools();
  tools.cancel = deadline.token();
  ReduceJob job{.model = {.path = crash.model, .inline_refused = true},
                .weightless_candidates = true,
                .options = {.mode = ReduceMode::kAuto,
                            .links_weights = factory.reads_links(crash.engine),
                            .tools = tools}};
  job.options.feeds = [&](Logger&) { return given_feeds({&crash.feed, 1}); };
  job.options.check = [&](const CandidateInputs& inputs) -> MakeCheck {
    return [&crash, tools, inputs](Logger& own, CancelToken cancel) {
      CheckTools mine{.runners = tools, .inputs = inputs, .timeout = crash.timeout};
      mine.runners.cancel = cancel;
      return make_model_check(*find_model_check("crash"), {.runners = {crash.engine}}, mine, own);
    };
  };
  try {
    const ReduceResult result = reduce(job, log);
    crash.cancel.check();
    if (!result.bad || result.interrupted) return std::nullopt;
    ReducedModel reduced{.nodes = static_cast<int64_t>(result.bad->graph->nodes().size()),
                         .onnx = graphsurgeon::encode_model(*result.bad)};
    if (reduced.onnx.size() > kMostReducedBytes) return std::nullopt;
    return reduced;
  } catch (const Interrupted&) {
    crash.cancel.check();
    return std::nullopt;
  }
}

}  // namespace polygraphy
