// `--compare meta_probe`: a metric that the original does not have.
#include <cmath>

#include "polygraphy/compare/threshold_metric.h"

namespace polygraphy {
namespace {

double figure(const PairSums& sums) {
  return std::sqrt(sums.squared_difference);
}

constexpr ThresholdTraits kTraits = {
    .metric = "meta_probe",
    .label = "Meta Probe",
    .summary = "the sum of the differences",
    .order = 99,
    .figure_name = "meta_probe",
    .result_class = "MetaProbeResult",
    .threshold_class = "MetaProbeThreshold",
    .limit = "tolerance",
    .unit = "",
    .option = "meta_probe_threshold",
    .flags = "--meta-probe-threshold",
    .metavar = "SUM",
    .help = "meta_probe: the largest sum that passes.",
    .fallback = 1,
    .at_least = false,
    .figure = figure,
    .sums = PairSums::kDifference,
};

}  // namespace

extern const Metric metric_meta_probe;
constinit const Metric metric_meta_probe = threshold_metric<kTraits>();

}  // namespace polygraphy
