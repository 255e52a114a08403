#include "polygraphy/run/runner_stream.h"

#include <exception>

#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/inputs/adapt_feed.h"
#include "polygraphy/results/input_blobs.h"
#include "polygraphy/results/saved_inputs.h"
#include "polygraphy/results/saved_outputs.h"
#include "polygraphy/run/inference_log.h"
#include "polygraphy/run/runners_left.h"

namespace polygraphy {
namespace {

class RunningResults : public ResultStream {
 public:
  RunningResults(std::span<const std::unique_ptr<Runner>> runners, FeedSource& feeds,
                 const RunOptions& options, Logger& log)
      : runners_(runners),
        feeds_(feeds),
        options_(options),
        log_(log),
        says_(log),
        left_(runners.size(), options.fail_fast, log),
        seconds_(runners.size()),
        runs_(runners.size()) {}
  ~RunningResults() override { deactivate(); }

  std::optional<std::vector<IterationResult>> next() override {
    if (closed_) return std::nullopt;
    if (!started_) start();
    if (options_.cancelled && options_.cancelled()) throw Interrupted();
    std::optional<TensorMap> feed = feeds_.next(runners_[left_.first()]->input_metadata());
    if (!feed) {
      close();
      return std::nullopt;
    }
    says_.inputs("Streaming iteration " + std::to_string(iterations_), *feed);
    if (inputs_) inputs_->add(*feed);
    if (blobs_) blobs_->add(*feed);
    std::vector<IterationResult> results;
    for (size_t i = 0; i < runners_.size(); ++i) results.push_back(run(i, *feed));
    if (outputs_) outputs_->add_iteration(results);
    ++iterations_;
    if (options_.progress) options_.progress(iterations_, feeds_.total());
    return results;
  }

  void close() override {
    if (closed_ || !started_) return;
    for (size_t i = 0; i < runners_.size(); ++i)
      says_.completed(runners_[i]->name(), runs_[i], seconds_[i]);
    finish();
  }

  void abandon() noexcept override {
    if (closed_ || !started_) return;
    try {
      finish();
    } catch (const std::exception& error) {
      // The first error is on its way to the user; this one comes on top.
      log_.error(log_modules::kUtil, error.what());
    }
  }

 private:
  void start() {
    started_ = true;
    for (const auto& runner : runners_) runner->begin_activation();
    for (size_t i = 0; i < runners_.size(); ++i) {
      says_.activating(runners_[i]->name());
      try {
        runners_[i]->activate();
      } catch (const RunnerFailure& failure) {
        left_.drop(i, runners_[i]->name(), "activation", failure);
      }
    }
    if (!options_.save_inputs.empty())
      inputs_ = std::make_unique<InputWriter>(options_.save_inputs, log_);
    if (!options_.save_outputs.empty()) {
      std::vector<std::string> names;
      for (const auto& runner : runners_) names.push_back(runner->name());
      outputs_ = std::make_unique<OutputWriter>(options_.save_outputs, std::move(names), log_);
    }
    if (!options_.save_input_blobs.empty())
      blobs_ = std::make_unique<InputBlobWriter>(options_.save_input_blobs, log_);
  }

  IterationResult run(size_t index, const TensorMap& feed) {
    const std::string& name = runners_[index]->name();
    try {
      if (left_.has(index)) return infer(index, feed);
    } catch (const RunnerFailure& failure) {
      left_.drop(index, name, "iteration " + std::to_string(iterations_), failure);
      runners_[index]->deactivate();
    }
    IterationResult nothing;
    nothing.runner_name = name;
    nothing.failed = true;
    return nothing;
  }

  IterationResult infer(size_t index, const TensorMap& feed) {
    Runner& runner = *runners_[index];
    const TensorMap fitted = adapt_feed(feed, runner.input_metadata(), log_);
    if (iterations_ == 0 && options_.warm_up > 0) {
      says_.warming_up(runner.name(), options_.warm_up);
      for (int64_t i = 0; i < options_.warm_up; ++i) runner.infer(fitted);
      says_.warmed_up(runner.name(), options_.warm_up);
    }
    IterationResult result;
    result.outputs = runner.infer(fitted);
    result.runtime = runner.last_inference_seconds();
    result.runner_name = runner.name();
    seconds_[index] += *result.runtime;
    ++runs_[index];
    says_.outputs(runner.name(), result.outputs);
    says_.received(runner.name(), result.outputs, *result.runtime);
    return result;
  }

  void deactivate() {
    for (const auto& runner : runners_) runner->begin_deactivation();
    for (const auto& runner : runners_) {
      if (runner->active()) runner->deactivate();
    }
  }

  void finish() {
    closed_ = true;
    deactivate();
    // Results are worth saving even when the inputs could not be.
    std::exception_ptr failure;
    try {
      if (inputs_) inputs_->finish();
    } catch (...) {
      failure = std::current_exception();
    }
    if (outputs_) outputs_->finish();
    if (failure) std::rethrow_exception(failure);
  }

  std::span<const std::unique_ptr<Runner>> runners_;
  FeedSource& feeds_;
  const RunOptions& options_;
  Logger& log_;
  InferenceLog says_;
  std::unique_ptr<InputWriter> inputs_;
  std::unique_ptr<OutputWriter> outputs_;
  std::unique_ptr<InputBlobWriter> blobs_;
  RunnersLeft left_;
  std::vector<double> seconds_;  // per runner
  std::vector<int64_t> runs_;    // per runner
  int64_t iterations_ = 0;
  bool started_ = false, closed_ = false;
};

}  // namespace

std::unique_ptr<ResultStream> running_results(std::span<const std::unique_ptr<Runner>> runners,
                                              FeedSource& feeds, const RunOptions& options,
                                              Logger& log) {
  return std::make_unique<RunningResults>(runners, feeds, options, log);
}

}  // namespace polygraphy
