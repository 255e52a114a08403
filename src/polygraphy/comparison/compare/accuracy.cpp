#include "polygraphy/comparison/compare/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/comparison/compare/comparison_requirements.h"
#include "polygraphy/comparison/compare/judged_sample.h"
#include "polygraphy/comparison/compare/left_iterations.h"
#include "polygraphy/comparison/compare/pair_statistics_log.h"
#include "polygraphy/comparison/compare/pairs/pairing.h"
#include "polygraphy/comparison/compare/pairs/unpaired_outputs.h"

namespace polygraphy {
namespace {

using log_modules::kComparator;
using log_modules::kCompare;

std::string list_of(const std::vector<std::string>& names) {
  return py_list_repr(std::span<const std::string>(names));
}

// The outputs of a result, with an array that may be read on demand.
ArrayMap with_array(const IterationResult& result, std::string_view name) {
  ArrayMap outputs = result.outputs;
  for (size_t i = 0; i < outputs.size() && result.read; ++i) {
    if (outputs.at_index(i).first == name) outputs.set(std::string(name), result.read(i));
  }
  return outputs;
}

}  // namespace

AccuracyComparison::AccuracyComparison(const CompareOptions& options, Logger& log)
    : options_(options), log_(log) {
  // A script's function takes the place of all others.
  std::vector<const Metric*> metrics = {nullptr};
  if (!options.compare_script) metrics = options.metrics;
  for (const Metric* metric : metrics) {
    if (metric == nullptr) continue;
    functions_.push_back(make_function(*metric, options_.metric_options));
    functions_.back()->require();
    wanted_sums_ |= metric->sums;
  }
  if (options.check_average) require_averages(options);
  if (!options.save_accuracy_results.empty()) {
    writer_ = std::make_unique<AccuracyWriter>(options.save_accuracy_results, std::move(metrics),
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
        iterations_, list_of(names), list_of(runners_)));
  }
}

// Numbers of the pairs of neighbours; new ones are announced. Where a runner has failed, those at
// its sides are a new pair.
std::vector<size_t> AccuracyComparison::pairs_of(const std::vector<IterationResult>& results) {
  std::vector<size_t> pairs;
  std::optional<size_t> last;
  const bool compares = options_.compare_script || !functions_.empty();
  for (size_t place = 0; place < results.size() && compares; ++place) {
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
    pair.means.resize(std::max<size_t>(functions_.size(), 1));
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
  std::vector<Outputs> found(functions_.size());
  for (size_t i = 0; i < functions_.size(); ++i) {
    Outputs& outputs = found[i];
    matched &= apply(*options_.metrics[i], *functions_[i], result0, result1, compared, outputs);
    if (writer_) writer_->add(i, index, outputs);
    if (options_.check_average) {
      for (const auto& [name, result] : outputs) {
        if (!result.left) pair.means[i].add(name, result.figures);
      }
    }
    // With --fail-fast a later function may get further than the first, whose outputs are shown.
    if (i == 0) logged = compared.size();
  }
  std::vector<Outputs> of_script;
  if (options_.compare_script) {
    matched = apply_script(index, result0, result1, compared, of_script.emplace_back());
    logged = compared.size();
  }
  for (size_t i = 0; i < logged; ++i) {
    // Caches of a decoder, which a metric of tokens does not judge, would fill the log.
    const bool left = !found.empty() && i < found.front().size() && found.front()[i].second.left;
    if (!left) log_pair_statistics(compared[i], result0, result1, log_);
  }
  count(judged(compared, options_.compare_script ? of_script : found, result0, result1), pair);
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
                                        const std::vector<Outputs>& found,
                                        const IterationResult& result0,
                                        const IterationResult& result1) {
  JudgedSample sample;
  for (const Outputs& outputs : found) {
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
  return join(std::span<const std::string>(names), " and ") +
         (options_.check_average ? " on average" : "");
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
  if (pairs_.empty())
    all.reason =
        runners_.size() == 1 ? "there is only " + runners_.front() : "there are no results";
  return all;
}

void AccuracyComparison::ran_out(size_t results, const std::vector<int64_t>& ended) {
  ran_out_ = true;
  warn_of_left_iterations(iterations_, results, ended, log_);
}

// All functions judged the same pairs in the same order; --fail-fast may have ended some early.
void AccuracyComparison::show(const std::vector<ComparedPair>& compared,
                              const std::vector<Outputs>& found, const Pair& pair,
                              const IterationResult& result0, const IterationResult& result1) {
  for (size_t i = 0; i < compared.size(); ++i) {
    const ComparedPair& one = compared[i];
    const Array a = result0.output(one.place0), b = result1.output(one.place1);
    ComparedOutput output{
        iterations_ - 1, pair.runner0, pair.runner1, one.name0, one.name1, a, b, {}, !one.failed};
    for (size_t function = 0; function < found.size(); ++function) {
      if (i >= found[function].size()) continue;
      const OutputResult& result = found[function][i].second;
      if (result.left) continue;
      output.results.emplace_back(options_.metrics[function], &result);
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
void AccuracyComparison::show_unmatched(size_t pairs, const std::vector<Outputs>& found,
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
                                 {{options_.metrics.front(), &result}},
                                 false});
  }
}

AccuracyComparison::Outputs AccuracyComparison::compare_once(const IterationResult& result0,
                                                             const IterationResult& result1) {
  std::vector<ComparedPair> compared;
  Outputs outputs;
  apply(*options_.metrics.front(), *functions_.front(), result0, result1, compared, outputs);
  return outputs;
}

// It judges whole results and says nothing itself: outputs that it does not mention have passed.
bool AccuracyComparison::apply_script(size_t index, const IterationResult& result0,
                                      const IterationResult& result1,
                                      std::vector<ComparedPair>& compared, Outputs& outputs) {
  const auto judged = options_.compare_script->compare(result0, result1);
  if (writer_) writer_->add(0, index, judged);
  OutputPairing pairing(result0.outputs, result1.outputs);
  if (judged.empty()) {
    log_.warning(kComparator,
                 "The comparison function compared no output: the accuracy was not verified.");
  }
  bool matched = true;
  for (const auto& [name, output] : judged) {
    matched &= output.result.passed;
    outputs.emplace_back(name, output.result);
    if (options_.check_average) {
      pairs_[index].means.front().add(name, output.result.figures);
      script_metrics_.set(name, output.metric);
    }
    for (size_t i = 0; i < result0.outputs.size(); ++i) {
      const std::string& name0 = result0.outputs.at_index(i).first;
      if (name0 != name) continue;
      const auto partner = pairing.partner(i, result1.runner_name, log_);
      if (!partner) break;
      compared.push_back({name0, partner->name, i, partner->place, !output.result.passed, {}});
      outputs.back().second.empty = result0.outputs.at_index(i).second.size() == 0 &&
                                    result1.outputs.at_index(partner->place).second.size() == 0;
    }
  }
  return matched;
}

bool AccuracyComparison::apply(const Metric& metric, MetricFunction& function,
                               const IterationResult& result0, const IterationResult& result1,
                               std::vector<ComparedPair>& compared, Outputs& outputs) {
  function.begin(with_array(result0, metric.reads_first), with_array(result1, metric.reads_first),
                 log_);
  // With --fail-fast every metric stops at one of the pairs: `compared` has those of the metrics
  // before, from the first on.
  PairBatches pairs(metric, function, result0, result1, wanted_sums_, log_);
  std::vector<std::string> judged, mismatched;
  while (auto result = pairs.next(compared)) {
    ComparedPair& pair = compared[outputs.size()];
    outputs.emplace_back(pair.name0, std::move(*result));
    if (outputs.back().second.left) continue;
    judged.emplace_back(pair.name0);
    if (outputs.back().second.passed) continue;
    pair.failed = true;
    if (options_.fail_fast) return false;
    mismatched.push_back(judged.back());
  }

  const bool first = &metric == options_.metrics.front();
  for (std::string& name : unpaired_items(result0, result1, compared, first, log_)) {
    outputs.emplace_back(name, OutputResult{});
    mismatched.push_back(std::move(name));
  }
  if (!mismatched.empty() && options_.fail_fast) return false;
  if (mismatched.empty()) {
    log_.finish(kCompare, fmt::format("PASSED | {} | All outputs matched | Outputs: {}",
                                      metric.label, list_of(judged)));
  } else {
    log_.error(kCompare, fmt::format("FAILED | {} | Mismatched outputs: {}", metric.label,
                                     list_of(mismatched)));
  }
  if (judged.empty() && !outputs.empty()) refuse_unjudged(metric.name, result0);
  if (outputs.empty()) require_common_outputs(result0, result1);
  return mismatched.empty();
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
    const double rate = 100.0 * static_cast<double>(pair.passed) / static_cast<double>(pair.total);
    log_.log(
        pair.passed == pair.total ? Severity::kFinish : Severity::kError, kComparator,
        fmt::format("Accuracy Summary | {} vs. {} | Passed: {}/{} iterations | Pass Rate: {:.2f}%",
                    pair.runner0, pair.runner1, pair.passed, pair.total, rate));
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
      const Figures means = pair.means[i].mean(name);
      const bool script = options_.compare_script != nullptr;
      const Metric& metric = script ? **script_metrics_.find(name) : *options_.metrics[i];
      const Threshold threshold =
          script ? options_.compare_script->threshold(name) : functions_[i]->threshold(name);
      const bool passed = metric.judge(means, threshold);
      Judged& judged = outputs[name];
      judged.passed &= passed;
      if (metric.describe) judged.lines.push_back({passed, metric.describe(means, threshold)});
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
