#include "polygraphy/comparison/compare/accuracy/check_accuracy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/comparison/compare/accuracy/figure_means.h"
#include "polygraphy/comparison/compare/compared_iterations.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {
namespace {

using Selected = CheckAccuracyOptions::Selected;
using log_modules::kCheckAccuracy;
using log_modules::kComparator;

constexpr std::string_view kElemwise = "elemwise", kQuantile = "quantile";

Severity severity(bool passed) {
  return passed ? Severity::kFinish : Severity::kError;
}

// ['l2_norm']; [] of comparisons that only have verdicts.
std::string figure_names(const Metric* metric) {
  std::vector<std::string> names;
  if (metric != nullptr && !metric->figures.empty()) {
    for (const auto name : split(metric->figures, ' ')) names.emplace_back(name);
  }
  return py_list_repr(names);
}

bool is_of(const AccuracyResult& comparison, const Metric& metric) {
  return figure_names(comparison.metric()) == figure_names(&metric);
}

std::string names_of_all(const AccuracyResults& results) {
  std::string text = "[";
  for (const AccuracyResult& comparison : results.comparisons) {
    if (text.size() > 1) text += ", ";
    text += figure_names(comparison.metric());
  }
  return text + "]";
}

struct Chosen {
  AccuracyResult comparison;
  bool anew;
};

// In the order in which they were selected.
std::vector<Chosen> choose(AccuracyResults& results, const std::vector<Selected>& selected,
                           Logger& log) {
  std::vector<Chosen> chosen;
  std::vector<bool> taken(results.comparisons.size(), selected.empty());
  std::vector<std::pair<size_t, bool>> order;
  for (size_t i = 0; selected.empty() && i < results.comparisons.size(); ++i) {
    order.emplace_back(i, false);
  }
  for (const Selected& one : selected) {
    bool found = false;
    for (size_t i = 0; i < results.comparisons.size(); ++i) {
      if (taken[i] || !is_of(results.comparisons[i], *one.metric)) continue;
      found = taken[i] = true;
      order.emplace_back(i, one.anew);
    }
    if (found) continue;
    throw Error(
        "No saved comparison results match the requested threshold (metric fields: " +
        figure_names(one.metric) +
        ").\nNote: the saved results contain these metric fields: " + names_of_all(results) +
        ". If these results came from a custom comparison function, its threshold type is "
        "reachable via --compare-func-script.");
  }
  for (size_t i = 0; i < taken.size(); ++i) {
    if (taken[i]) continue;
    log.info(kCheckAccuracy, "Ignoring saved comparison with metric fields " +
                                 figure_names(results.comparisons[i].metric()) +
                                 ": no matching threshold was requested.");
  }
  for (const auto& [i, anew] : order) chosen.push_back({std::move(results.comparisons[i]), anew});
  return chosen;
}

void require_figures(const std::string& output, const OutputResult& judged) {
  if (!judged.figures.empty()) return;
  throw Error(kNoSavedFigures,
              "Output: '" + output +
                  "' has no re-thresholdable metrics (e.g. it was a shape mismatch or an 'indices' "
                  "comparison), so it cannot be re-evaluated against new thresholds.",
              "Note: Re-run the comparison from saved raw outputs for such comparisons.");
}

// Statistics for a threshold; elements were not saved.
void require_statistic(const Figures& figures, const Threshold& threshold) {
  if (threshold.error_stat == kElemwise) {
    throw Error(
        kNoSavedElements,
        "Cannot re-threshold an 'elemwise' comparison: it is a per-element check with no scalar "
        "statistic to threshold.",
        "Note: Choose an explicit statistic (max, mean, median, or quantile), or re-run the "
        "comparison from saved raw outputs.");
  }
  if (threshold.error_stat == kQuantile && (figures.empty() || !figures.back())) {
    throw Error(
        kNoSavedQuantile,
        "The saved results do not contain a 'quantile' statistic, so they cannot be checked "
        "against "
        "it.",
        "Note: 'quantile' statistics are only saved when the original comparison checked them. "
        "Choose max, mean, or median instead, or re-run the comparison from saved raw outputs.");
  }
}

template <typename ThresholdOf>
void judge_anew(AccuracyResult& comparison, ThresholdOf threshold_of) {
  for (JudgedPair& pair : comparison.pairs) {
    for (JudgedIteration& outputs : pair.iterations) {
      for (auto& [name, result] : outputs) {
        require_figures(name, result);
        result.threshold = threshold_of(name);
        require_statistic(result.figures, result.threshold);
        result.passed = result.metric->judge(result.figures, result.threshold);
      }
    }
  }
}

void summarize_means(const JudgedPair& pair, Logger& log) {
  FigureMeans means;
  for (const JudgedIteration& outputs : pair.iterations) {
    for (const auto& [name, result] : outputs) means.add(name, result);
  }
  struct Line {
    bool passed;
    std::string text;
  };
  std::vector<Line> lines;
  int64_t passed = 0;
  for (size_t i = 0; i < means.size(); ++i) {
    const OutputResult mean = means.mean(i);
    require_statistic(mean.figures, mean.threshold);
    const bool within = mean.metric->judge(mean.figures, mean.threshold);
    passed += within;
    if (mean.metric->describe == nullptr) continue;
    lines.push_back(
        {within, means.output(i) + " | " + mean.metric->describe(mean.figures, mean.threshold)});
  }
  const auto total = static_cast<int64_t>(means.size());
  log.log(severity(passed == total), kComparator,
          fmt::format("Accuracy Summary | {} vs. {} | Passed: {}/{} outputs", pair.runner0,
                      pair.runner1, passed, total));
  Logger::Indent deeper(log);
  for (const Line& line : lines) log.log(severity(line.passed), kComparator, line.text);
}

// Whether its results are figures with a threshold for their mean: those of elements and of places
// in lists are verdicts.
bool has_means(const AccuracyResult& comparison) {
  const Metric* metric = comparison.metric();
  if (metric == nullptr || metric->figures.empty()) return false;
  for (const JudgedPair& pair : comparison.pairs) {
    for (const JudgedIteration& outputs : pair.iterations) {
      for (const auto& [name, judged] : outputs) {
        if (judged.threshold.error_stat == kElemwise) return false;
      }
    }
  }
  return true;
}

// Saved verdicts on averages were verdicts on averages.
void average_saved(AccuracyResult& comparison, Logger& log) {
  if (comparison.average) return;
  comparison.average = has_means(comparison);
  if (comparison.average) return;
  log.warning(kCheckAccuracy,
              "The saved verdicts were made element by element and have no average. They count "
              "iteration by iteration.");
}

}  // namespace

Verdict check_accuracy(AccuracyResults results, const CheckAccuracyOptions& options, Logger& log) {
  std::vector<Chosen> chosen = choose(results, options.selected, log);
  bool anew = false, anything = false;
  AccuracyResults judged;
  for (Chosen& one : chosen) {
    AccuracyResult& comparison = one.comparison;
    if (one.anew) {
      if (options.script) {
        judge_anew(comparison,
                   [&](const std::string& name) { return options.script->threshold(name); });
      } else {
        const auto function = make_function(*comparison.metric(), options.metric_options);
        judge_anew(comparison, [&](const std::string& name) { return function->threshold(name); });
      }
      comparison.average = options.check_average;
      anew = true;
    } else if (options.check_average) {
      average_saved(comparison, log);
    }
    for (const JudgedPair& pair : comparison.pairs) {
      if (comparison.average) {
        summarize_means(pair, log);
      } else {
        log_pass_rate(pair.runner0, pair.runner1, pair.matched(), std::ssize(pair.iterations), log);
      }
      anything |= !pair.iterations.empty();
    }
    judged.comparisons.push_back(std::move(comparison));
  }
  if (!anything) {
    throw Error(kNoComparisons,
                "No comparison results to check: the saved run compared no outputs.",
                "Run with two runners, or with one runner and saved outputs.");
  }
  if (options.on_judged) options.on_judged(judged);
  if (!options.save_results.empty()) save_accuracy_results(judged, options.save_results, log);
  const std::string thresholds = anew ? "the requested thresholds." : "their saved thresholds.";
  Verdict verdict = judged.verdict();
  if (verdict.empty > 0 && verdict.compared > 0) log.warning(kCheckAccuracy, headline(verdict));
  if (verdict.passed()) {
    log.finish(kCheckAccuracy, "PASSED | Accuracy results passed " + thresholds);
  } else if (verdict.agreement == Agreement::kNotCompared) {
    log.error(kCheckAccuracy, "FAILED | " + headline(verdict));
  } else {
    log.error(kCheckAccuracy, "FAILED | Accuracy results did not pass " + thresholds);
  }
  return verdict;
}

}  // namespace polygraphy
