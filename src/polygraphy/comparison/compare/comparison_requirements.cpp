#include "polygraphy/comparison/compare/comparison_requirements.h"

#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {

void require_averages(const CompareOptions& options) {
  if (options.fail_fast)
    throw Error(kAverageWithFailFast, "check_average=True cannot be combined with fail_fast=True.");
  if (options.compare_script) {
    if (options.compare_script->averages()) return;
    throw Error(
        "The provided compare_func does not support average comparison. Use a compare_func that "
        "produces averageable metrics (sets _RESULT_CLASS and implements thresholds_for) with "
        "check_average=True.");
  }
  for (const Metric* metric : options.metrics) {
    if (metric->figures.empty()) {
      throw Error(
          "The selected compare_func does not produce averageable metrics and cannot be used with "
          "check_average=True.");
    }
    if (metric->name != "simple") continue;
    const auto& stats = options.metric_options.texts_of("check_error_stat");
    bool elemwise = !stats.contains("");
    for (const auto& [output, stat] : stats) elemwise |= stat == "elemwise";
    if (elemwise) {
      throw Error(kAverageOfElements,
                  "check_average=True is not supported with check_error_stat='elemwise' (the "
                  "default). Specify max, mean, median, or quantile.");
    }
  }
}

void require_pair(const std::vector<std::string>& runs) {
  if (runs.size() >= 2) return;
  throw Error(kNothingToCompare,
              "Cannot compare outputs: " +
                  (runs.empty() ? std::string("no runner is selected and no outputs are loaded.")
                                : "there is only one run: " + runs.front() + "."),
              "Select a second runner, or load saved outputs.");
}

}  // namespace polygraphy
