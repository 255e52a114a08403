#include "polygraphy/comparison/compare/run_and_compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/comparison/compare/accuracy.h"
#include "polygraphy/comparison/compare/comparison_requirements.h"
#include "polygraphy/comparison/compare/pairs/pairing.h"
#include "polygraphy/comparison/compare/postprocess_results.h"
#include "polygraphy/comparison/compare/validate.h"
#include "polygraphy/comparison/dump_lint/dump_lint.h"
#include "polygraphy/comparison/run/distinct_names.h"
#include "polygraphy/comparison/run/result_stream.h"
#include "polygraphy/comparison/run/runner_stream.h"
#include "polygraphy/comparison/run/sequential_run.h"
#include "polygraphy/data/results/saved_outputs.h"

namespace polygraphy {
namespace {

// Results of other programs among those that are compared.
class ForeignResults {
 public:
  explicit ForeignResults(Logger& log) : lint_(log) {}

  // Warns of their traps (dump_lint/), each beside its neighbours. Reads results of other programs,
  // and what is compared with them.
  void check(const std::vector<IterationResult>& results);
  // Zeros on both sides agree without a comparison: says so in a verdict that agrees.
  void qualify(Verdict& verdict) const;

 private:
  DumpLint lint_;
};

// Which outputs are compared. Guesses are logged when they are.
std::vector<std::optional<size_t>> partners_of(const IterationResult& one,
                                               const IterationResult& other) {
  Logger silent;
  OutputPairing pairing(one.outputs, other.outputs);
  std::vector<std::optional<size_t>> partners(one.outputs.size());
  for (size_t i = 0; i < partners.size(); ++i) {
    if (const auto partner = pairing.partner(i, other.runner_name, silent))
      partners[i] = partner->place;
  }
  return partners;
}

void ForeignResults::check(const std::vector<IterationResult>& results) {
  std::vector<const IterationResult*> present;
  for (const IterationResult& result : results) {
    if (!result.failed) present.push_back(&result);
  }
  static const IterationResult none;
  if (present.size() == 1) present.push_back(&none);
  std::optional<Dump> last;  // of the one before, if it was needed
  for (size_t i = 0; i + 1 < present.size(); ++i) {
    const IterationResult &first = *present[i], &second = *present[i + 1];
    if (!first.made_elsewhere && !second.made_elsewhere) {
      last.reset();
      continue;
    }
    const Dump one = last ? std::move(*last) : dump_of(first);
    Dump other = dump_of(second);
    const DumpPair forward{one, other, partners_of(first, second)};
    if (first.made_elsewhere) lint_.check(forward);
    if (second.made_elsewhere) lint_.check({other, one, partners_of(second, first)});
    lint_.count_zeros(forward);
    last = std::move(other);
  }
}

void ForeignResults::qualify(Verdict& verdict) const {
  if (verdict.agreement != Agreement::kAgrees) return;
  const std::string zeros = lint_.zeros_text();
  if (lint_.only_zeros()) verdict.agreement = Agreement::kNotCompared;
  if (verdict.reason.empty()) verdict.reason = zeros;
}

struct Streams {
  std::vector<std::unique_ptr<ResultStream>> all;
  bool run = false;  // one of them at least; others are read
  std::shared_ptr<DistinctNames> names = std::make_shared<DistinctNames>();  // of one iteration
};

// Options of inputs have no effect if all results come from files.
void warn_of_unused_inputs(const FeedSource& feeds, const CompareOptions& options, Logger& log) {
  if (options.load_outputs.empty() || (feeds.generates() && options.save_inputs.empty())) return;
  log.warning(
      log_modules::kInferenceOptions,
      "No runners were specified, so inference will not be run and input-related options (e.g. "
      "--load-inputs/--save-inputs/--save-input-blob/--data-loader-script) will be ignored. "
      "Comparison will "
      "use only the loaded outputs.");
}

// The warning at the start of a long log is easily missed, and the run ignores the option.
void warn_of_unmatched_shapes(const FeedSource& feeds, Logger& log) {
  const std::vector<std::string> names = feeds.unmatched_shapes();
  if (names.empty()) return;
  log.warning(log_modules::kDataLoader,
              fmt::format("Shapes were given for {}, but no inputs have these names: the inputs of "
                          "this run have other shapes. See the warnings at its start.",
                          py_list_repr(names)));
}

// The next iteration of every stream, runner by runner; nullopt when one of them has ended.
std::optional<std::vector<IterationResult>> next_of_all(Streams& streams,
                                                        AccuracyComparison& accuracy) {
  std::vector<IterationResult> all;
  std::vector<int64_t> ended;
  streams.names->clear();
  for (size_t i = 0; i < streams.all.size(); ++i) {
    auto results = streams.all[i]->next();
    if (!results) {
      ended.push_back(static_cast<int64_t>(i));
      continue;
    }
    for (IterationResult& result : *results) all.push_back(std::move(result));
  }
  if (ended.empty()) return all;
  if (ended.size() < streams.all.size()) {
    if (accuracy.iterations() == 0) {
      throw Error(fmt::format("Cannot compare: of {} results, those at index {} have no iterations",
                              streams.all.size(), py_list_repr(ended)),
                  "Check the files.");
    }
    accuracy.ran_out(streams.all.size(), ended);
  }
  return std::nullopt;
}

// Runners that failed in the course of a run were reported then; the end of a long log says it
// again.
void report_failures(const std::vector<IterationResult>& last, Verdict& verdict, Logger& log) {
  std::vector<std::string> failed;
  for (const IterationResult& result : last) {
    if (result.failed) failed.push_back(result.runner_name);
  }
  if (failed.empty()) return;
  log.error(log_modules::kComparator,
            fmt::format("Failed Runners: {} | Their earlier outputs and the outputs of other "
                        "runners were kept. See the errors above.",
                        py_list_repr(failed)));
  verdict.agreement = Agreement::kFailed;
  verdict.reason = join(failed, ", ") + " failed";
}

// Whether the verdict is known, and nothing else is wanted of further iterations. Reading saved
// results to their end costs little, and finds how many they are.
bool may_stop(const Streams& streams, const CompareOptions& options) {
  const bool wanted = !streams.run || options.sequential || options.validate ||
                      !options.save_inputs.empty() || !options.save_outputs.empty() ||
                      !options.save_input_blobs.empty();
  return options.compare_script && !wanted && options.compare_script->decided();
}

Verdict compare_streams(Streams& streams, AccuracyComparison& accuracy,
                        const CompareOptions& options, Logger& log) {
  if (streams.all.empty()) {
    accuracy.save();
    return accuracy.verdict();
  }
  std::vector<IterationResult> last;
  ForeignResults foreign(log);
  try {
    bool go_on = true;
    while (go_on && !may_stop(streams, options)) {
      auto results = next_of_all(streams, accuracy);
      if (!results) break;
      foreign.check(*results);
      if (options.on_results) options.on_results(*results);
      go_on = accuracy.add(*results);
      last = std::move(*results);
      for (IterationResult& result : last) {
        result.outputs = {};
        result.read = nullptr;
      }
    }
    for (const auto& stream : streams.all) stream->close();
    if (go_on) accuracy.summarize();
    accuracy.save();
  } catch (const Interrupted&) {
    if (options.record && std::ranges::none_of(last, &IterationResult::failed)) {
      *options.record = accuracy.record();
      accuracy.save();
    }
    throw;  // files of outputs stay
  } catch (...) {
    // Iterations that were run to their end are worth keeping, whatever went wrong later.
    for (const auto& stream : streams.all) stream->abandon();
    throw;
  }
  Verdict verdict = accuracy.verdict();
  foreign.qualify(verdict);
  report_failures(last, verdict, log);
  if (options.record) {
    *options.record = accuracy.record();
    if (verdict.agreement == Agreement::kFailed) options.record->failed = {verdict.reason};
  }
  return verdict;
}

Verdict compare_while_running(const Runners& runners, FeedSource& feeds,
                              AccuracyComparison& accuracy, const CompareOptions& options,
                              Logger& log) {
  Streams streams;
  const auto edit = result_edit(options);
  // Metrics take one pair of outputs after the other; other consumers may need whole results.
  const bool one_by_one = !edit && !options.validate && !options.on_results && !options.observer &&
                          !options.compare_script && !options.scores_text;
  const auto add = [&](std::unique_ptr<ResultStream> stream) {
    stream = distinctly_named(std::move(stream), streams.names);
    if (edit) stream = postprocessed(std::move(stream), edit, log);
    if (options.validate) stream = validated(std::move(stream), log, options.observer);
    streams.all.push_back(std::move(stream));
  };
  streams.run = !runners.empty();
  if (streams.run) add(running_results(runners, feeds, options, log));
  for (const std::string& path : options.load_outputs) {
    add(loaded_results(path, log, one_by_one, options.torch));
  }
  return compare_streams(streams, accuracy, options, log);
}

Verdict compare_after_running(const Runners& runners, FeedSource& feeds,
                              AccuracyComparison& accuracy, const CompareOptions& options,
                              Logger& log) {
  std::vector<RunResults> runs;
  if (!runners.empty()) runs.push_back(run_sequentially(runners, feeds, options, log));
  for (const std::string& path : options.load_outputs)
    runs.push_back(load_results(path, log, options.torch));
  name_distinctly(runs);
  if (const auto edit = result_edit(options)) {
    for (RunResults& run : runs) postprocess_run(run, *edit, log);
  }
  Streams streams;
  for (const RunResults& run : runs) streams.all.push_back(stored_results(run));
  Verdict verdict = compare_streams(streams, accuracy, options, log);
  for (const RunResults& run : runs) {
    if (!options.validate || validate_run(run, log, options.observer)) continue;
    verdict.agreement = std::min(verdict.agreement, Agreement::kDiffers);
    verdict.reason = "outputs have NaNs or infinities";
  }
  return verdict;
}

}  // namespace

Verdict run_and_compare(const Runners& runners, FeedSource& feeds, const CompareOptions& options,
                        Logger& log) {
  if (runners.empty()) warn_of_unused_inputs(feeds, options, log);
  // Before anything runs: options that make no sense are found here.
  if (options.must_compare && options.load_outputs.empty()) {
    std::vector<std::string> names;
    for (const auto& runner : runners) names.push_back(runner->name());
    require_pair(names);
  }
  AccuracyComparison accuracy(options, log);
  Verdict verdict = options.sequential
                        ? compare_after_running(runners, feeds, accuracy, options, log)
                        : compare_while_running(runners, feeds, accuracy, options, log);
  if (!runners.empty()) warn_of_unmatched_shapes(feeds, log);
  // Files are given to be compared, whatever is in them.
  const bool alone = runners.size() < 2 && options.load_outputs.empty();
  if (alone && accuracy.iterations() == 0) verdict.pairs = 0;
  return verdict;
}

}  // namespace polygraphy
