#include "polygraphy/comparison/run/sequential_run.h"

#include <string>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/progress.h"
#include "polygraphy/comparison/run/inference_log.h"
#include "polygraphy/comparison/run/measured_runner.h"
#include "polygraphy/comparison/run/open_dimensions.h"
#include "polygraphy/comparison/run/run_files.h"
#include "polygraphy/comparison/run/runner_failures.h"
#include "polygraphy/comparison/run/runner_label.h"
#include "polygraphy/data/inputs/adapt_feed.h"
#include "polygraphy/data/tensors/flat_names.h"

namespace polygraphy {
namespace {

// The feeds of all iterations, made for the first runner and adapted to each.
class FeedCache {
 public:
  FeedCache(FeedSource& source, Logger& log) : source_(source), log_(log) {}

  // For a runner with these inputs.
  std::vector<ValueMap> adapted(const Metadata& inputs) {
    if (!loaded_) load(inputs);
    std::vector<ValueMap> feeds;
    for (size_t i = 0; i < feeds_.size(); ++i) feeds.push_back(adapt(i, inputs));
    return feeds;
  }

  const FeedSource& source() const { return source_; }
  size_t size() const { return feeds_.size(); }
  // As they were loaded.
  std::vector<ArrayMap> flattened() const {
    std::vector<ArrayMap> arrays;
    for (const ValueMap& feed : feeds_) arrays.push_back(flatten(feed));
    return arrays;
  }

 private:
  void load(const Metadata& inputs) {
    loaded_ = true;
    log_.verbose(log_modules::kDataLoader, "Loading inputs from data loader");
    while (std::optional<ValueMap> feed = source_.next(inputs)) feeds_.push_back(std::move(*feed));
    if (feeds_.empty())
      log_.warning(log_modules::kDataLoader, "Data loader did not yield any input data.");
  }

  ValueMap adapt(size_t iteration, const Metadata& inputs) {
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
      throw Error(
          "Input tensor: " + tensor +
              " | Could not use the provided input and could not reload a replacement from "
              "the data loader.",
          "Inputs loaded from files are read as-is; if the runners run different models, use a "
          "data loader that can generate matching inputs.");
    }
  }

  FeedSource& source_;
  Logger& log_;
  bool loaded_ = false;
  std::vector<ValueMap> feeds_;
};

// Appends to `results`, so that what a runner has done before it fails is kept. `when`: how far the
// runner got.
void run_one(Runner& runner, FeedCache& cache, const RunOptions& options, InferenceLog& lines,
             std::vector<IterationResult>& results, std::string& when) {
  when = "activation";
  lines.activation_started(runner.name());
  const ActiveRunner active(runner);
  const std::vector<ValueMap> feeds = cache.adapted(runner.input_metadata());
  MeasuredRunner measured(runner, lines);
  when = "the warm-up";
  if (!feeds.empty()) measured.warm_up(feeds.front(), options.warm_up);
  ProgressPhase phase(runner.name() + " | iteration", static_cast<int64_t>(feeds.size()));
  for (const ValueMap& feed : feeds) {
    options.cancel.check();
    when = "iteration " + std::to_string(results.size());
    const ArrayMap arrays = flatten(feed);
    lines.input_metadata(runner_label(runner.name()), arrays);
    lines.inputs_fed(runner.name(), arrays);
    results.push_back(explaining_open_dimensions([&] { return measured.infer(feed); }, runner,
                                                 cache.source(), feed));
    phase.step();
  }
  measured.complete();
}

}  // namespace

RunResults run_sequentially(const Runners& runners, FeedSource& feeds, const RunOptions& options,
                            Logger& log) {
  FeedCache cache(feeds, log);
  InferenceLog lines(log);
  RunnerFailures failures(runners.size(), options, log);
  RunResults run;
  std::vector<std::string> names;
  for (size_t i = 0; i < runners.size(); ++i) {
    auto& [name, results] =
        run.runners.emplace_back(runners[i]->name(), std::vector<IterationResult>());
    std::string when;
    try {
      run_one(*runners[i], cache, options, lines, results, when);
      names.push_back(name);
    } catch (const RunnerFailure& failure) {
      failures.record(i, name, when, failure);
    }
  }
  // Every runner has a result for every iteration.
  for (size_t i = 0; i < runners.size(); ++i)
    run.runners[i].second.resize(cache.size(), failed_iteration(*runners[i]));
  log.verbose(log_modules::kComparator, "Successfully ran: " + py_list_repr(names));
  save_run(options, cache.flattened(), run, log);
  return run;
}

}  // namespace polygraphy
