// `--compare psnr`: peak signal-to-noise ratio, the peak being the largest value of the first
// output; at least the threshold.
#include <cmath>
#include <limits>

#include "polygraphy/comparison/compare/metrics/shared/threshold_metric.h"

namespace polygraphy {
namespace {

double figure_of(const PairSums& sums) {
  const double mean_square = sums.squared_difference / static_cast<double>(sums.size);
  if (mean_square == 0) return std::numeric_limits<double>::infinity();
  const double peak = sums.peak <= 0 ? 1 : sums.peak;
  return 20 * std::log10(peak) - 10 * std::log10(mean_square);
}

constexpr ThresholdTraits kTraits = {
    .metric = "psnr",
    .label = "PSNR",
    .summary = "the ratio of the peak to the error, in decibels",
    .order = 4,
    .figure_name = "psnr",
    .result_class = "PsnrResult",
    .threshold_class = "PsnrThreshold",
    .limit = "min required",
    .unit = " dB",
    .option = "psnr_threshold",
    .flags = "--psnr-threshold --psnr-tolerance",
    .metavar = "DB",
    .help = "psnr: minimum ratio of peak to error, in decibels. Default: 30.",
    .group = "quality_metrics",
    .python_class = "PsnrCompareFunc",
    .python_arguments = "psnr_threshold check_shapes fail_fast",
    .fallback = 30,
    .at_least = true,
    .figure = figure_of,
    .sums = PairSums::kDifference | PairSums::kPeak,
};

}  // namespace

extern constinit const Metric metric_psnr = threshold_metric<kTraits>();

}  // namespace polygraphy
