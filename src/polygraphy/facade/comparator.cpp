#include "polygraphy/facade/comparator.h"

#include <algorithm>

#include "base/error.h"
#include "base/silent_log.h"
#include "polygraphy/comparison/compare/accuracy.h"
#include "polygraphy/comparison/compare/compared_iterations.h"
#include "polygraphy/comparison/compare/postprocess_results.h"
#include "polygraphy/comparison/compare/validate.h"
#include "polygraphy/comparison/run/result_stream.h"
#include "polygraphy/comparison/run/sequential_run.h"

namespace polygraphy {
namespace {

// Every verdict of one pair of runners.
class Collector : public ComparisonObserver {
 public:
  explicit Collector(const std::vector<const Metric*>& metrics) : found_(metrics.size()) {}

  void compared(const ComparedOutput& output) override {
    for (size_t i = 0; i < output.results.size(); ++i) {
      OutputResult result = *output.results[i];
      auto& iterations = found_[i];
      iterations.resize(static_cast<size_t>(output.iteration) + 1);
      // Without figures there is nothing but the verdict.
      if (result.figures.empty()) result.metric = nullptr;
      iterations.back().set(std::string(output.name0), std::move(result));
    }
  }

  // Iterations without outputs matched.
  std::vector<JudgedIteration> take(size_t metric, int64_t iterations) {
    found_[metric].resize(static_cast<size_t>(iterations));
    return std::move(found_[metric]);
  }

 private:
  std::vector<std::vector<JudgedIteration>> found_;  // by metric
};

std::vector<std::pair<size_t, size_t>> pairs_of(const RunResults& results,
                                                const CompareAccuracyOptions& options) {
  std::vector<std::pair<size_t, size_t>> pairs = options.comparisons;
  const size_t count = results.runners.size();
  if (pairs.empty()) {
    for (size_t i = 0; i + 1 < count; ++i) pairs.emplace_back(i, i + 1);
  }
  for (const auto& [a, b] : pairs) {
    if (a < count && b < count) continue;
    throw Error("Cannot compare the results at " + std::to_string(a) + " and " + std::to_string(b) +
                ": the number of results is " + std::to_string(count) + ".");
  }
  return pairs;
}

using Iterations = std::vector<IterationResult>;

// Throws Error where there is no iteration to compare.
void require_iterations(const std::pair<std::string, Iterations>& runner) {
  if (!runner.second.empty()) return;
  throw Error(kNoIterations, "Cannot compare outputs: '" + runner.first + "' has no iterations.",
              "Give inputs for at least one iteration.");
}

// True, with a warning, if one of them has iterations behind the last one of the other.
bool warn_of_rest(const std::pair<std::string, Iterations>& first,
                  const std::pair<std::string, Iterations>& second, Logger& log) {
  const size_t count0 = first.second.size(), count1 = second.second.size();
  if (count0 == count1) return false;
  warn_of_left_iterations(static_cast<int64_t>(std::min(count0, count1)), 2,
                          {count0 < count1 ? 0 : 1}, log);
  return true;
}

void compare_pair(const std::pair<std::string, Iterations>& first,
                  const std::pair<std::string, Iterations>& second,
                  const CompareAccuracyOptions& options, Logger& log, AccuracyResults& out) {
  CompareOptions run;
  run.metrics = options.compare_func.metrics();
  run.metric_options = options.compare_func.options();
  run.metric_options.fail_fast = run.fail_fast = options.fail_fast;
  run.check_average = options.check_average;
  Collector collector(run.metrics);
  run.observer = &collector;
  AccuracyComparison accuracy(run, log);
  bool go_on = true;
  const size_t common = std::min(first.second.size(), second.second.size());
  for (size_t i = 0; go_on && i < common; ++i) {
    std::vector<IterationResult> both{first.second[i], second.second[i]};
    both[0].runner_name = first.first;
    both[1].runner_name = second.first;
    go_on = accuracy.add(both);
  }
  const bool ran_out = go_on && warn_of_rest(first, second, log);
  if (go_on) accuracy.summarize();
  for (size_t metric = 0; metric < run.metrics.size(); ++metric) {
    out.comparisons[metric].pairs.push_back(
        {first.first, second.first, collector.take(metric, accuracy.iterations()), ran_out});
  }
}

void compare_pair_by(const CompareFunc& function, const std::pair<std::string, Iterations>& first,
                     const std::pair<std::string, Iterations>& second, bool fail_fast, Logger& log,
                     AccuracyResults& out) {
  JudgedPair pair{first.first, second.first, {}};
  bool matched = true;
  for (size_t i = 0; i < std::min(first.second.size(), second.second.size()); ++i) {
    JudgedIteration& iteration = pair.iterations.emplace_back();
    matched = true;
    for (const auto& [output, passed] : function.custom()(first.second[i], second.second[i])) {
      iteration.set(output, {.passed = passed});
      matched &= passed;
    }
    if (fail_fast && !matched) break;
  }
  if (matched || !fail_fast) pair.ran_out = warn_of_rest(first, second, log);
  out.comparisons[0].pairs.push_back(std::move(pair));
}

}  // namespace

RunResults Comparator::run(const RunnerList& runners, const ComparatorRunOptions& options) {
  Logger& log = log_or_silence(options.log);
  for (const auto& runner : runners.runners()) {
    if (!runner->active()) continue;
    throw Error("Runner '" + runner->name() + "' is already active.",
                "Comparator::run() activates and deactivates runners: let the ActiveRunner end "
                "first.");
  }
  CompareOptions run;
  run.sequential = true;
  run.warm_up = options.warm_up;
  run.save_inputs = options.save_inputs_path;
  run.cancel = options.cancel;
  run.fail_fast = true;  // a runner that fails is the caller's to know of
  const std::unique_ptr<FeedSource> feeds = options.data_loader.open(log);
  return run_sequentially(runners.runners(), *feeds, run, log);
}

AccuracyResults Comparator::compare_accuracy(const RunResults& results,
                                             const CompareAccuracyOptions& options) {
  Logger& log = log_or_silence(options.log);
  const bool custom = options.compare_func.custom() != nullptr;
  AccuracyResults accuracy;
  accuracy.comparisons.resize(custom ? 1 : options.compare_func.metrics().size());
  for (AccuracyResult& comparison : accuracy.comparisons)
    comparison.average = options.check_average;
  if (custom && options.check_average) {
    throw Error("Custom comparison functions do not support check_average.");
  }
  for (const auto& [a, b] : pairs_of(results, options)) {
    const auto &first = results.runners[a], &second = results.runners[b];
    require_iterations(first);
    require_iterations(second);
    if (custom) {
      compare_pair_by(options.compare_func, first, second, options.fail_fast, log, accuracy);
    } else {
      compare_pair(first, second, options, log, accuracy);
    }
    if (options.fail_fast && !accuracy) break;
  }
  return accuracy;
}

void Comparator::postprocess(RunResults& results, std::shared_ptr<const OutputFunction> function,
                             Logger* log) {
  postprocess(results, OrderedMap<std::shared_ptr<const OutputFunction>>{{"", std::move(function)}},
              log);
}

void Comparator::postprocess(RunResults& results,
                             const OrderedMap<std::shared_ptr<const OutputFunction>>& functions,
                             Logger* log) {
  if (!functions.empty()) postprocess_run(results, *edit_of(functions), log_or_silence(log));
}

bool Comparator::validate(const RunResults& results, const ValidateOptions& options) {
  Logger& log = log_or_silence(options.log);
  const OutputChecks checks{.infinities = options.check_inf, .nans = options.check_nan};
  bool valid = true;
  for (const auto& [runner, iterations] : results.runners) {
    for (const IterationResult& iteration : iterations) {
      for (const auto& [name, output] : iteration.outputs) {
        valid &= validate_output(runner, {}, name, output, log, checks);
        if (!valid && options.fail_fast) return false;
      }
    }
  }
  return valid;
}

std::shared_ptr<const OutputFunction> PostprocessFunc::top_k(int64_t k, int64_t axis) {
  return parse_postprocess("top-" + std::to_string(k) + ",axis=" + std::to_string(axis));
}

std::shared_ptr<const OutputFunction> PostprocessFunc::parse(std::string_view text) {
  return parse_postprocess(text);
}

}  // namespace polygraphy
