#include "polygraphy/comparison/run/runner_stream.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "base/progress.h"
#include "polygraphy/comparison/run/inference_log.h"
#include "polygraphy/comparison/run/measured_runner.h"
#include "polygraphy/comparison/run/open_dimensions.h"
#include "polygraphy/comparison/run/run_files.h"
#include "polygraphy/comparison/run/runner_failures.h"
#include "polygraphy/data/inputs/adapt_feed.h"
#include "polygraphy/data/tensors/flat_names.h"

namespace polygraphy {
namespace {

class RunningResults : public ResultStream {
 public:
  RunningResults(Runners runners, FeedSource& feeds, const RunOptions& options, Logger& log)
      : runners_(std::move(runners)),
        feeds_(feeds),
        options_(options),
        log_(log),
        lines_(log),
        failures_(runners_.size(), options_, log) {
    for (const auto& runner : runners_) measured_.emplace_back(*runner, lines_);
  }
  ~RunningResults() override { deactivate(); }

  std::optional<std::vector<IterationResult>> next() override {
    if (closed_) return std::nullopt;
    if (!started_) start();
    options_.cancel.check();
    std::optional<ValueMap> feed =
        feeds_.next(runners_[failures_.first_working()]->input_metadata());
    if (!feed) {
      close();
      return std::nullopt;
    }
    const ArrayMap arrays = flatten(*feed);
    lines_.input_metadata("Streaming iteration " + std::to_string(iterations_), arrays);
    files_->add_inputs(arrays);
    std::vector<IterationResult> results;
    for (size_t i = 0; i < runners_.size(); ++i) results.push_back(run(i, *feed));
    files_->add_outputs(results);
    ++iterations_;
    phase_->at(iterations_, feeds_.total());
    return results;
  }

  void close() override {
    if (closed_ || !started_) return;
    for (MeasuredRunner& runner : measured_) runner.complete();
    finish();
  }

  void abandon() noexcept override {
    if (closed_ || !started_) return;
    try {
      finish(true);
    } catch (const std::exception& error) {
      // The first error is on its way to the user; this one comes on top.
      log_.error(log_modules::kUtil, error.what());
    }
  }

 private:
  void start() {
    started_ = true;
    phase_.emplace("iteration", feeds_.total());
    for (const auto& runner : runners_) runner->begin_activation();
    for (size_t i = 0; i < runners_.size(); ++i) {
      lines_.activation_started(runners_[i]->name());
      try {
        runners_[i]->activate();
      } catch (const RunnerFailure& failure) {
        failures_.record(i, runners_[i]->name(), "activation", failure);
      }
    }
    files_.emplace(options_, runners_, log_);
  }

  IterationResult run(size_t index, const ValueMap& feed) {
    Runner& runner = *runners_[index];
    try {
      if (!failures_.has_failed(index)) {
        const ValueMap adapted = adapt_feed(feed, runner.input_metadata(), log_);
        const auto infer = [&] {
          if (iterations_ == 0) measured_[index].warm_up(adapted, options_.warm_up);
          return measured_[index].infer(adapted);
        };
        return explaining_open_dimensions(infer, runner, feeds_, adapted);
      }
    } catch (const RunnerFailure& failure) {
      failures_.record(index, runner.name(), "iteration " + std::to_string(iterations_), failure);
      runner.deactivate();
    }
    return failed_iteration(runner);
  }

  void deactivate() {
    for (const auto& runner : runners_) runner->begin_deactivation();
    for (const auto& runner : runners_) {
      if (runner->active()) runner->deactivate();
    }
  }

  void finish(bool failed = false) {
    closed_ = true;
    deactivate();
    if (files_) files_->finish(failed);
    phase_.reset();
  }

  const Runners runners_;
  FeedSource& feeds_;
  const RunOptions options_;
  Logger& log_;
  InferenceLog lines_;
  std::vector<MeasuredRunner> measured_;  // as runners_
  RunnerFailures failures_;
  std::optional<RunFiles> files_;       // since start()
  std::optional<ProgressPhase> phase_;  // since start()
  int64_t iterations_ = 0;
  bool started_ = false, closed_ = false;
};

}  // namespace

std::unique_ptr<ResultStream> running_results(Runners runners, FeedSource& feeds,
                                              const RunOptions& options, Logger& log) {
  return std::make_unique<RunningResults>(std::move(runners), feeds, options, log);
}

}  // namespace polygraphy
