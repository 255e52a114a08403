#include "polygraphy/comparison/compare/accuracy/accuracy_results.h"

#include <algorithm>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_json.h"
#include "polygraphy/comparison/compare/accuracy/figure_means.h"
#include "polygraphy/comparison/compare/compared_iterations.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/verdict/tally.h"
#include "polygraphy/data/results/iteration_files.h"
#include "polygraphy/data/results/saved_document.h"

namespace polygraphy {
namespace {

bool iteration_matched(const JudgedIteration& outputs) {
  return std::all_of(outputs.begin(), outputs.end(),
                     [](const auto& entry) { return entry.second.passed; });
}

}  // namespace

int64_t JudgedPair::matched() const {
  return std::count_if(iterations.begin(), iterations.end(), iteration_matched);
}

const Metric* AccuracyResult::metric() const {
  for (const JudgedPair& pair : pairs) {
    for (const JudgedIteration& outputs : pair.iterations) {
      for (const auto& [name, output] : outputs) {
        if (output.metric != nullptr) return output.metric;
      }
    }
  }
  return nullptr;
}

namespace {

// The verdicts on the means of all outputs over the iterations.
void count_means(const JudgedPair& pair, Tally& tally) {
  FigureMeans means;
  for (const JudgedIteration& outputs : pair.iterations) {
    for (const auto& [name, result] : outputs) means.add(name, result);
  }
  for (size_t i = 0; i < means.size(); ++i) {
    const Metric* metric = means.metric(i);
    const bool judges = metric != nullptr && metric->judge != nullptr;
    const OutputResult mean = judges ? means.mean(i) : OutputResult{};
    tally.compared(means.output(i), judges && metric->judge(mean.figures, mean.threshold));
  }
}

void count(const AccuracyResult& result, const JudgedPair& pair, Tally& tally) {
  for (const JudgedIteration& outputs : pair.iterations) {
    for (const auto& [name, output] : outputs) {
      tally.has_elements(name, !output.empty);
      if (!result.average) tally.compared(name, output.passed);
    }
  }
  if (result.average) count_means(pair, tally);
}

}  // namespace

// Of the same pair of runners, each function may have compared other outputs.
Verdict AccuracyResults::verdict() const {
  std::vector<Tally> tallies;
  std::vector<const JudgedPair*> pairs;
  std::string measure;
  for (const AccuracyResult& result : comparisons) {
    if (const Metric* metric = result.metric()) {
      measure += (measure.empty() ? "" : " and ") + std::string(metric->name) +
                 (result.average ? " on average" : "");
    }
    for (size_t i = 0; i < result.pairs.size(); ++i) {
      const JudgedPair& pair = result.pairs[i];
      if (i == pairs.size()) {
        pairs.push_back(&pair);
        tallies.emplace_back();
        for (size_t sample = 0; sample < pair.iterations.size(); ++sample) tallies[i].next_sample();
      }
      count(result, pair, tallies[i]);
    }
  }
  std::optional<Verdict> all;
  for (size_t i = 0; i < pairs.size(); ++i) {
    Verdict one = tallies[i].verdict();
    one.reference = pairs[i]->runner0;
    one.target = pairs[i]->runner1;
    one.measure = measure;
    if (pairs[i]->ran_out)
      one.reason = left_iterations(static_cast<int64_t>(pairs[i]->iterations.size()));
    all = all ? joined_pairs(*all, one) : std::move(one);
  }
  return all.value_or(Verdict{.pairs = 0, .reason = "no results of a comparison"});
}

AccuracyResults::operator bool() const {
  return verdict().acceptable();
}

AccuracyStats AccuracyResults::stats(size_t pair) const {
  AccuracyStats stats;
  std::vector<bool> matched;
  for (const AccuracyResult& result : comparisons) {
    if (pair >= result.pairs.size()) {
      throw Error("No pair " + std::to_string(pair) +
                  " of runners: " + std::to_string(result.pairs.size()) + " pairs were compared.");
    }
    const auto& iterations = result.pairs[pair].iterations;
    matched.resize(std::max(matched.size(), iterations.size()), true);
    for (size_t i = 0; i < iterations.size(); ++i) {
      if (!iteration_matched(iterations[i])) matched[i] = false;
    }
  }
  stats.total = static_cast<int64_t>(matched.size());
  stats.matched = std::count(matched.begin(), matched.end(), true);
  stats.mismatched = stats.total - stats.matched;
  return stats;
}

double AccuracyResults::percentage(size_t pair) const {
  const AccuracyStats counts = stats(pair);
  return counts.total == 0
             ? 1
             : static_cast<double>(counts.matched) / static_cast<double>(counts.total);
}

void AccuracyResults::save(const std::string& path) const {
  Logger silent;
  save_accuracy_results(*this, path, silent);
}

AccuracyResults AccuracyResults::load(const std::string& path) {
  Logger silent;
  return load_accuracy_results(path, silent);
}

AccuracyResults load_accuracy_results(const std::string& path, Logger& log) {
  announce_loading(log, kAccuracyResults, path);
  const SavedDocument document(path);
  document.require_accuracy();
  return read_accuracy_results(document.accuracy());
}

AccuracyResults parse_accuracy_results(std::string_view text, const std::string& source) {
  const SavedDocument document(text, source);
  document.require_accuracy();
  return read_accuracy_results(document.accuracy());
}

namespace {

bool is_same_pair(const JudgedPair& one, const JudgedPair& other) {
  return one.runner0 == other.runner0 && one.runner1 == other.runner1;
}

bool is_same_comparison(const AccuracyResult& one, const AccuracyResult& other) {
  return one.average == other.average && std::ranges::equal(one.pairs, other.pairs, is_same_pair);
}

}  // namespace

void append(AccuracyResults& whole, AccuracyResults part) {
  if (whole.comparisons.empty()) {
    whole = std::move(part);
    return;
  }
  if (!std::ranges::equal(whole.comparisons, part.comparisons, is_same_comparison)) {
    throw Error(kOtherRun, "Two accuracy results are not parts of one run: their runners differ",
                "The parts must run with the same options on the same engines.");
  }
  for (size_t i = 0; i < whole.comparisons.size(); ++i) {
    for (size_t k = 0; k < whole.comparisons[i].pairs.size(); ++k) {
      auto& iterations = part.comparisons[i].pairs[k].iterations;
      std::ranges::move(iterations, std::back_inserter(whole.comparisons[i].pairs[k].iterations));
    }
  }
}

void save_accuracy_results(const AccuracyResults& results, const std::string& path, Logger& log) {
  announce_file(log, kAccuracyResults, path);
  JsonFile out(path);
  JsonWriter& json = out.json;
  begin_accuracy_list(json);
  for (const AccuracyResult& result : results.comparisons) {
    begin_accuracy_list(json);
    std::vector<EmptyOutputs> empty;
    for (const JudgedPair& pair : result.pairs) {
      begin_judged_pair(json, pair.runner0, pair.runner1);
      EmptyOutputs& of_pair = empty.emplace_back();
      for (const JudgedIteration& outputs : pair.iterations) {
        write_judged_iteration(json, outputs);
        of_pair.add(outputs);
      }
      end_judged_pair(json);
    }
    end_accuracy_result(json, result.average, empty);
  }
  end_accuracy_results(json);
  out.file.commit();
}

}  // namespace polygraphy
