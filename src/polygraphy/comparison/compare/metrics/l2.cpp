// `--compare l2`: the Euclidean distance, at most the threshold.
#include <cmath>

#include "polygraphy/comparison/compare/metrics/shared/threshold_metric.h"

namespace polygraphy {
namespace {

double figure_of(const PairSums& sums) {
  return std::sqrt(sums.squared_difference);
}

constexpr ThresholdTraits kTraits = {
    .metric = "l2",
    .label = "L2 Norm",
    .summary = "the Euclidean distance of the outputs",
    .order = 2,
    .figure_name = "l2_norm",
    .result_class = "L2Result",
    .threshold_class = "L2Threshold",
    .limit = "tolerance",
    .unit = "",
    .option = "l2_threshold",
    .flags = "--l2-threshold --l2-tolerance",
    .metavar = "DISTANCE",
    .help = "l2: maximum distance, for all outputs or for one: 1e-3 logits:1e-2. Default: 1e-5.",
    .group = "distance_metrics",
    .python_class = "L2CompareFunc",
    .python_arguments = "l2_threshold check_shapes fail_fast",
    .fallback = 1e-5,
    .least = 0,
    .at_least = false,
    .figure = figure_of,
    .sums = PairSums::kDifference,
};

}  // namespace

extern constinit const Metric metric_l2 = threshold_metric<kTraits>();

}  // namespace polygraphy
