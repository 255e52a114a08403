// `--compare cosine_similarity`: the cosine of the angle between the flattened outputs, at least
// the threshold.
#include <cmath>

#include "polygraphy/comparison/compare/metrics/shared/threshold_metric.h"

namespace polygraphy {
namespace {

double figure_of(const PairSums& sums) {
  const double length_a = std::sqrt(sums.squares_a), length_b = std::sqrt(sums.squares_b);
  if (length_a == 0 && length_b == 0) return 1;
  if (length_a == 0 || length_b == 0) return 0;
  // Exact arithmetic says 1, rounded roots may say a little less. Equal floats keep the original's
  // figure: there the sums are rounded, too.
  if (sums.same_integers) return 1;
  const double cosine = sums.product / (length_a * length_b);
  // Rounding can take it out of range. NaN stays.
  return cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;
}

constexpr ThresholdTraits kTraits = {
    .metric = "cosine_similarity",
    .label = "Cosine Similarity",
    .summary = "the cosine of the angle between the outputs",
    .order = 3,
    .figure_name = "cosine_similarity",
    .result_class = "CosineSimilarityResult",
    .threshold_class = "CosineSimilarityThreshold",
    .limit = "min required",
    .unit = "",
    .option = "cosine_similarity_threshold",
    .flags = "--cosine-similarity-threshold",
    .metavar = "COSINE",
    .help = "cosine_similarity: minimum cosine. Default: 0.997.",
    .group = "distance_metrics",
    .python_class = "CosineSimilarityCompareFunc",
    .python_arguments = "cosine_similarity_threshold check_shapes fail_fast",
    .fallback = 0.997,
    .least = -1,
    .most = 1,
    .at_least = true,
    .figure = figure_of,
    .sums = PairSums::kSquaresA | PairSums::kSquaresB | PairSums::kProduct,
};

}  // namespace

extern constinit const Metric metric_cosine_similarity = threshold_metric<kTraits>();

}  // namespace polygraphy
