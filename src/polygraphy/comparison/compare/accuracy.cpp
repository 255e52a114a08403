#include "polygraphy/comparison/compare/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/comparison/compare/compared_iterations.h"
#include "polygraphy/comparison/compare/comparison_requirements.h"
#include "polygraphy/comparison/compare/judged_sample.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/pairs/unpaired_outputs.h"
#include "polygraphy/comparison/compare/statistics_log.h"

namespace polygraphy {
namespace {

using log_modules::kComparator;

// The statistics of both outputs of a pair, with those that metrics have computed. Nothing where no
// message would be seen.
void log_pair_statistics(const ComparedPair& one, const IterationResult& result0,
                         const IterationResult& result1, Logger& log) {
  if (!statistics_enabled(log)) return;
  const PairStatistics& found = one.statistics;
  const Severity details = one.failed && !one.hides_elements ? Severity::kInfo : Severity::kVerbose;
  const auto* histogram_a = found.histogram_a ? &*found.histogram_a : nullptr;
  const auto* histogram_b = found.histogram_b ? &*found.histogram_b : nullptr;
  // Read again only for access to the elements, which may be in a file.
  Array array_a, array_b;
  if (!found.a || statistics_read_elements(*found.a, details, histogram_a, log))
    array_a = result0.output(one.place0);
  if (!found.b || statistics_read_elements(*found.b, details, histogram_b, log))
    array_b = result1.output(one.place1);
  const Statistics a = found.a ? *found.a : compute_statistics(array_a);
  const Statistics b = found.b ? *found.b : compute_statistics(array_b);
  std::optional<HistogramRange> range;
  if (a.computed && b.computed) range = common_range(a, b);
  log_statistics(a, fmt::format("{}: {}", result0.runner_name, one.name0), array_a, details, range,
                 log, histogram_a);
  log_statistics(b, fmt::format("{}: {}", result1.runner_name, one.name1), array_b, details, range,
                 log, histogram_b);
}

}  // namespace

AccuracyComparison::AccuracyComparison(const CompareOptions& options, Logger& log)
    : options_(options), log_(log), functions_(comparison_functions(options_, log)) {
  if (options.check_average) require_averages(options);
  if (!options.save_accuracy_results.empty()) {
    writer_ = std::make_unique<AccuracyWriter>(options.save_accuracy_results, functions_.size(),
                                               options.check_average);
  }
}

bool AccuracyComparison::add(const std::vector<IterationResult>& results) {
  check_runners(results);
  if (options_.scores_text) scores_.add(results);
  const std::vector<size_t> pairs = pairs_of(results);
  log_.info(kComparator, "Iteration: " + std::to_string(iterations_));
  ++iterations_;
  for (const size_t i : pairs) {
    const bool matched = compare_pair(i, results[pairs_[i].place0], results[pairs_[i].place1]);
    if (!matched && options_.fail_fast) return false;
  }
  return true;
}

void AccuracyComparison::check_runners(const std::vector<IterationResult>& results) {
  std::vector<std::string> names;
  for (const IterationResult& result : results) names.push_back(result.runner_name);
  if (iterations_ == 0) {
    runners_ = std::move(names);
    if (options_.must_compare) require_pair(runners_);
  } else if (names != runners_) {
    throw Error(fmt::format(
        "Streamed iteration {} contains a different set of runners than the first ({} vs. {}). "
        "Every iteration must contain the same runners in the same order.",
        iterations_, py_list_repr(names), py_list_repr(runners_)));
  }
}

// Numbers of the pairs of neighbours; new ones are announced. Where a runner has failed, those at
// its sides are a new pair.
std::vector<size_t> AccuracyComparison::pairs_of(const std::vector<IterationResult>& results) {
  std::vector<size_t> pairs;
  std::optional<size_t> last;
  for (size_t place = 0; place < results.size() && !functions_.empty(); ++place) {
    if (results[place].failed) continue;
    const auto place0 = std::exchange(last, place);
    if (!place0) continue;
    const auto known = std::find_if(pairs_.begin(), pairs_.end(), [&](const Pair& pair) {
      return pair.place0 == *place0 && pair.place1 == place;
    });
    pairs.push_back(static_cast<size_t>(known - pairs_.begin()));
    if (known != pairs_.end()) continue;
    Pair& pair = pairs_.emplace_back(Pair{*place0, place, runners_[*place0], runners_[place],
                                          results[*place0].file, results[place].file,
                                          reference_is_second(results[*place0], results[place])});
    pair.means.resize(functions_.size());
    if (writer_) writer_->add_pair(pair.runner0, pair.runner1);
    log_.start(kComparator, "Accuracy Comparison | " + pair.runner0 + " vs. " + pair.runner1);
  }
  return pairs;
}

bool AccuracyComparison::compare_pair(size_t index, const IterationResult& result0,
                                      const IterationResult& result1) {
  Pair& pair = pairs_[index];
  if (judges_together()) {
    options_.compare_script->compare(result0, result1);
    return true;
  }
  Logger::Indent deeper(log_);
  std::vector<ComparedPair> compared;
  size_t logged = 0;
  bool matched = true;
  std::vector<OutputResults> found;
  for (size_t i = 0; i < functions_.size(); ++i) {
    const OutputResults& outputs =
        found.emplace_back(functions_[i]->compare(result0, result1, compared));
    if (writer_) writer_->add(i, index, outputs);
    for (const auto& [name, result] : outputs) {
      if (result.left) continue;
      matched &= result.passed;
      if (options_.check_average) pair.means[i].add(name, result);
    }
    // With --fail-fast a later function may get further than the first, whose outputs are shown.
    if (i == 0) logged = compared.size();
  }
  for (size_t i = 0; i < logged; ++i) {
    // Caches of a decoder, which a metric of tokens does not judge, would fill the log.
    if (!compared[i].left) log_pair_statistics(compared[i], result0, result1, log_);
  }
  count(judged(compared, found, result0, result1), pair);
  // Observers get results of metrics only.
  if (options_.compare_script) found.clear();
  if (options_.observer) show(compared, found, pair, result0, result1);
  ++pair.total;
  if (matched) ++pair.passed;
  return matched;
}

bool AccuracyComparison::judges_together() const {
  return options_.compare_script && options_.compare_script->judges_together();
}

void AccuracyComparison::count(JudgedSample sample, Pair& pair) {
  if (options_.record) pair.samples.push_back(sample);
  if (!options_.check_average) {
    pair.tally.add(sample);
    return;
  }
  // judge_means() counts.
  pair.tally.next_sample();
  for (const JudgedUnit& unit : sample.units)
    pair.tally.has_elements(unit.name, unit.agreement != Agreement::kNotCompared);
  for (const std::string& name : sample.left) pair.tally.not_compared(name);
}

// An output has passed if it has for every function.
JudgedSample AccuracyComparison::judged(const std::vector<ComparedPair>& compared,
                                        const std::vector<OutputResults>& found,
                                        const IterationResult& result0,
                                        const IterationResult& result1) {
  JudgedSample sample;
  for (const OutputResults& outputs : found) {
    for (const auto& [name, result] : outputs) polygraphy::add(name, result, sample);
  }
  for (const std::string_view name : unpaired(result0, compared, &ComparedPair::name0))
    sample.left.emplace_back(name);
  for (const std::string_view name : unpaired(result1, compared, &ComparedPair::name1))
    sample.left.emplace_back(name);
  return sample;
}

std::string AccuracyComparison::measure() const {
  if (options_.compare_script) return options_.compare_script->measure();
  std::vector<std::string> names;
  for (const Metric* metric : options_.metrics) names.emplace_back(metric->name);
  return join(names, " and ") + (options_.check_average ? " on average" : "");
}

Verdict AccuracyComparison::verdict() const {
  Verdict all = verdict_of_pairs();
  if (ran_out_ && all.reason.empty()) all.reason = left_iterations(iterations_);
  if (options_.scores_text) all.text = scores_.figures();
  return all;
}

bool AccuracyComparison::differs() const {
  if (judges_together()) return verdict().agreement == Agreement::kDiffers;
  return std::ranges::any_of(pairs_, [](const Pair& pair) { return pair.tally.differs(); });
}

RunRecord AccuracyComparison::record() const {
  RunRecord record{.measure = measure()};
  for (const Pair& pair : pairs_)
    record.pairs.push_back({pair.runner0, pair.runner1, pair.samples});
  return record;
}

Verdict AccuracyComparison::verdict_of_pairs() const {
  Verdict all;
  for (const Pair& pair : pairs_) {
    Verdict one = judges_together() ? options_.compare_script->verdict(pair.runner0, pair.runner1)
                                    : pair.tally.verdict();
    if (one.reference.empty()) one.reference = pair.turned ? pair.runner1 : pair.runner0;
    if (one.target.empty()) one.target = pair.turned ? pair.runner0 : pair.runner1;
    one.reference_file = one.reference == pair.runner0 ? pair.file0 : pair.file1;
    one.target_file = one.target == pair.runner1 ? pair.file1 : pair.file0;
    one.measure = measure();
    all = &pair == &pairs_.front() ? std::move(one) : joined_pairs(all, one);
  }
  if (!pairs_.empty()) return all;
  const bool alone = runners_.size() == 1;
  all.reason = alone ? "there is only " + runners_.front() : "there are no results";
  if (alone || functions_.empty()) all.pairs = 0;
  return all;
}

void AccuracyComparison::ran_out(size_t results, const std::vector<int64_t>& ended) {
  ran_out_ = true;
  warn_of_left_iterations(iterations_, results, ended, log_);
}

// All functions judged the same pairs in the same order; --fail-fast may have ended some early.
void AccuracyComparison::show(const std::vector<ComparedPair>& compared,
                              const std::vector<OutputResults>& found, const Pair& pair,
                              const IterationResult& result0, const IterationResult& result1) {
  for (size_t i = 0; i < compared.size(); ++i) {
    const ComparedPair& one = compared[i];
    const Array a = result0.output(one.place0), b = result1.output(one.place1);
    ComparedOutput output{
        iterations_ - 1, pair.runner0, pair.runner1, one.name0, one.name1, a, b, {}, !one.failed};
    for (const OutputResults& outputs : found) {
      if (i >= outputs.size()) continue;
      const OutputResult& result = outputs[i].second;
      if (result.left) continue;
      output.results.push_back(&result);
      output.passed &= result.passed;
    }
    if (!output.results.empty() || found.empty()) options_.observer->compared(output);
  }
  show_unmatched(compared.size(), found, pair, result0, result1);
  // With --fail-fast what comes after a failure was not looked at.
  const bool ended = std::any_of(compared.begin(), compared.end(),
                                 [](const ComparedPair& one) { return one.failed; });
  if (!(options_.fail_fast && ended)) show_unpaired(compared, pair, result0, result1);
}

void AccuracyComparison::show_unpaired(const std::vector<ComparedPair>& compared, const Pair& pair,
                                       const IterationResult& result0,
                                       const IterationResult& result1) {
  const auto tell = [&](const IterationResult& result, const std::string& owner, auto name_of) {
    for (const std::string_view name : unpaired(result, compared, name_of))
      options_.observer->unpaired(pair.runner0, pair.runner1, owner, name);
  };
  tell(result0, pair.runner0, &ComparedPair::name0);
  tell(result1, pair.runner1, &ComparedPair::name1);
}

// Entries behind the pairs exist on one side only.
void AccuracyComparison::show_unmatched(size_t pairs, const std::vector<OutputResults>& found,
                                        const Pair& pair, const IterationResult& result0,
                                        const IterationResult& result1) {
  constexpr std::string_view kMissing = "(missing)";
  const Array none = Array::zeros(DataType::kFloat32, {0});
  for (size_t i = pairs; !found.empty() && i < found.front().size(); ++i) {
    const auto& [name, result] = found.front()[i];
    const Array* a = result0.outputs.find(name);
    const Array* b = result1.outputs.find(name);
    options_.observer->compared({iterations_ - 1,
                                 pair.runner0,
                                 pair.runner1,
                                 name,
                                 a && b ? std::string_view(name) : kMissing,
                                 a ? *a : *b,
                                 none,
                                 {&result},
                                 false});
  }
}

void AccuracyComparison::summarize() {
  if (options_.must_compare && iterations_ == 0) {
    throw Error(kNoIterations, "Cannot compare outputs: there were no iterations.",
                "Give inputs for at least one iteration.");
  }
  for (Pair& pair : pairs_) {
    if (judges_together()) continue;
    if (options_.check_average) {
      judge_means(pair);
      continue;
    }
    log_pass_rate(pair.runner0, pair.runner1, pair.passed, pair.total, log_);
  }
}

void AccuracyComparison::judge_means(Pair& pair) {
  struct Line {
    bool passed;
    std::string text;
  };
  struct Judged {
    bool passed = true;
    std::vector<Line> lines;
  };
  OrderedMap<Judged> outputs;
  for (size_t i = 0; i < pair.means.size(); ++i) {
    for (size_t k = 0; k < pair.means[i].size(); ++k) {
      const std::string& name = pair.means[i].output(k);
      const OutputResult mean = pair.means[i].mean(k);
      const Metric& metric = *mean.metric;
      const Threshold threshold = functions_[i]->threshold(name);
      const bool passed = metric.judge(mean.figures, threshold);
      Judged& judged = outputs[name];
      judged.passed &= passed;
      if (metric.describe)
        judged.lines.push_back({passed, metric.describe(mean.figures, threshold)});
    }
  }
  const auto count = std::count_if(outputs.begin(), outputs.end(),
                                   [](const auto& output) { return output.second.passed; });
  const auto total = static_cast<int64_t>(outputs.size());
  const auto severity = [](bool passed) { return passed ? Severity::kFinish : Severity::kError; };
  log_.log(severity(count == total), kComparator,
           fmt::format("Accuracy Summary | {} vs. {} | Passed: {}/{} outputs", pair.runner0,
                       pair.runner1, count, total));
  Logger::Indent deeper(log_);
  for (const auto& [name, judged] : outputs) {
    log_.log(severity(judged.passed), kComparator,
             name + (judged.passed ? " | PASSED:" : " | FAILED:"));
    Logger::Indent under_the_output(log_);
    for (const Line& line : judged.lines) log_.log(severity(line.passed), kComparator, line.text);
    pair.tally.compared(name, judged.passed);
  }
}

void AccuracyComparison::save() {
  if (writer_) writer_->finish(log_);
}

}  // namespace polygraphy
