#include "polygraphy/run/sequential_run.h"

#include <string>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/inputs/adapt_feed.h"
#include "polygraphy/results/input_blobs.h"
#include "polygraphy/results/iteration_files.h"
#include "polygraphy/results/saved_inputs.h"
#include "polygraphy/results/saved_outputs.h"
#include "polygraphy/run/inference_log.h"
#include "polygraphy/run/result_stream.h"
#include "polygraphy/run/runner_label.h"
#include "polygraphy/run/runners_left.h"

namespace polygraphy {
namespace {

// The feeds of all iterations, made for the first runner and fitted to each.
class FeedCache {
 public:
  FeedCache(FeedSource& source, Logger& log) : source_(source), log_(log) {}

  // For a runner with these inputs.
  std::vector<TensorMap> fitted(const Metadata& inputs) {
    if (!loaded_) load(inputs);
    std::vector<TensorMap> feeds;
    for (size_t i = 0; i < feeds_.size(); ++i) feeds.push_back(fit(i, inputs));
    return feeds;
  }

  const std::vector<TensorMap>& as_loaded() const { return feeds_; }

 private:
  void load(const Metadata& inputs) {
    loaded_ = true;
    log_.verbose(log_modules::kDataLoader, "Loading inputs from data loader");
    while (std::optional<TensorMap> feed = source_.next(inputs)) feeds_.push_back(std::move(*feed));
    if (feeds_.empty())
      log_.warning(log_modules::kDataLoader, "Data loader did not yield any input data.");
  }

  TensorMap fit(size_t iteration, const Metadata& inputs) {
    try {
      return adapt_feed(feeds_[iteration], inputs, log_);
    } catch (const FeedError& error) {
      const std::string message = error.what(), &tensor = error.tensor();
      log_.critical(log_modules::kDataLoader,
                    error.hint().empty() ? message : message + "\n" + error.hint());
      log_.warning(log_modules::kDataLoader,
                   "Could not use the provided buffer for input: " + tensor +
                       ". Attempting to reload it from the data loader (this only works if the "
                       "data loader supports "
                       "random access).\nPlease refer to warnings above for details on why the "
                       "buffer didn't work. ");
      const auto again = source_.again(static_cast<int64_t>(iteration), inputs);
      if (again) return adapt_feed(*again, inputs, log_);
      throw Error("Input tensor: " + tensor +
                      " | Could not use the provided input and could not reload a replacement from "
                      "the data loader.",
                  "Inputs loaded from files (--load-inputs) are read as-is; if the runners run "
                  "different models, use a "
                  "data loader that can generate matching inputs.");
    }
  }

  FeedSource& source_;
  Logger& log_;
  bool loaded_ = false;
  std::vector<TensorMap> feeds_;
};

// Appends to `results`: what a runner has done before it fails counts. `when`: how far it got.
void run_one(Runner& runner, FeedCache& cache, const RunOptions& options, InferenceLog& says,
             std::vector<IterationResult>& results, std::string& when) {
  when = "activation";
  says.activating(runner.name());
  ActiveRunner active(runner);
  const std::vector<TensorMap> feeds = cache.fitted(runner.input_metadata());
  if (options.warm_up > 0 && !feeds.empty()) {
    when = "the warm-up";
    says.warming_up(runner.name(), options.warm_up);
    for (int64_t i = 0; i < options.warm_up; ++i) runner.infer(feeds.front());
    says.warmed_up(runner.name(), options.warm_up);
  }
  double seconds = 0;
  for (const TensorMap& feed : feeds) {
    if (options.cancelled && options.cancelled()) throw Interrupted();
    when = "iteration " + std::to_string(results.size());
    says.inputs(runner_label(runner.name()), feed);
    says.feeding(runner.name(), feed);
    IterationResult result;
    result.outputs = runner.infer(feed);
    result.runtime = runner.last_inference_seconds();
    result.runner_name = runner.name();
    seconds += *result.runtime;
    says.outputs(runner.name(), result.outputs);
    says.received(runner.name(), result.outputs, *result.runtime);
    results.push_back(std::move(result));
    if (options.progress) {
      options.progress(static_cast<int64_t>(results.size()), static_cast<int64_t>(feeds.size()));
    }
  }
  says.completed(runner.name(), static_cast<int64_t>(results.size()), seconds);
}

// So that every runner has a result for every iteration.
void fill_up(RunResults& run, size_t iterations) {
  for (auto& [name, results] : run.runners) {
    while (results.size() < iterations) {
      IterationResult& nothing = results.emplace_back();
      nothing.runner_name = name;
      nothing.failed = true;
    }
  }
}

void save_feeds(const std::vector<TensorMap>& feeds, const std::string& path, Logger& log) {
  InputWriter writer(path, log);
  for (const TensorMap& feed : feeds) writer.add(feed);
  writer.finish();
}

void save_run(const RunResults& run, const std::string& path, Logger& log) {
  if (!is_directory_target(path)) {
    save_results(run, path, log);
    return;
  }
  std::vector<std::string> names;
  for (const auto& [name, iterations] : run.runners) names.push_back(name);
  OutputWriter writer(path, std::move(names), log);
  const auto stream = stored_results(run);
  while (const auto results = stream->next()) writer.add_iteration(*results);
  writer.finish();
}

}  // namespace

RunResults run_sequentially(std::span<const std::unique_ptr<Runner>> runners, FeedSource& feeds,
                            const RunOptions& options, Logger& log) {
  FeedCache cache(feeds, log);
  InferenceLog says(log);
  RunResults run;
  std::vector<std::string> names;
  RunnersLeft left(runners.size(), options.fail_fast, log);
  for (size_t i = 0; i < runners.size(); ++i) {
    auto& [name, results] =
        run.runners.emplace_back(runners[i]->name(), std::vector<IterationResult>());
    std::string when;
    try {
      run_one(*runners[i], cache, options, says, results, when);
      names.push_back(name);
    } catch (const RunnerFailure& failure) {
      left.drop(i, name, when, failure);
    }
  }
  fill_up(run, cache.as_loaded().size());
  log.verbose(log_modules::kComparator,
              "Successfully ran: " + py_list_repr(std::span<const std::string>(names)));
  if (!options.save_inputs.empty()) save_feeds(cache.as_loaded(), options.save_inputs, log);
  if (!options.save_input_blobs.empty()) {
    InputBlobWriter blobs(options.save_input_blobs, log);
    for (const TensorMap& feed : cache.as_loaded()) blobs.add(feed);
  }
  if (!options.save_outputs.empty()) save_run(run, options.save_outputs, log);
  return run;
}

}  // namespace polygraphy
