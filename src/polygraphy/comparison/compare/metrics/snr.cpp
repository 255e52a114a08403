// `--compare snr`: signal-to-noise ratio, the first output being the signal; at least the
// threshold.
#include <cmath>
#include <limits>

#include "polygraphy/comparison/compare/metrics/shared/threshold_metric.h"

namespace polygraphy {
namespace {

double figure_of(const PairSums& sums) {
  const auto size = static_cast<double>(sums.size);
  const double noise = sums.squared_difference / size, signal = sums.squares_a / size;
  if (noise == 0) return std::numeric_limits<double>::infinity();
  if (signal == 0) return -std::numeric_limits<double>::infinity();
  return 10 * std::log10(signal / noise);
}

constexpr ThresholdTraits kTraits = {
    .metric = "snr",
    .label = "SNR",
    .summary = "the ratio of the signal to the error, in decibels",
    .order = 5,
    .figure_name = "snr",
    .result_class = "SnrResult",
    .threshold_class = "SnrThreshold",
    .limit = "min required",
    .unit = " dB",
    .option = "snr_threshold",
    .flags = "--snr-threshold --snr-tolerance",
    .metavar = "DB",
    .help = "snr: minimum ratio of signal to error, in decibels. Default: 20.",
    .group = "quality_metrics",
    .python_class = "SnrCompareFunc",
    .python_arguments = "snr_threshold check_shapes fail_fast",
    .fallback = 20,
    .at_least = true,
    .figure = figure_of,
    .sums = PairSums::kDifference | PairSums::kSquaresA,
};

}  // namespace

extern constinit const Metric metric_snr = threshold_metric<kTraits>();

}  // namespace polygraphy
