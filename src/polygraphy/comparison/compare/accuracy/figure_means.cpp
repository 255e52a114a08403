#include "polygraphy/comparison/compare/accuracy/figure_means.h"

#include "base/error.h"

namespace polygraphy {

void FigureMeans::add(const std::string& output, const OutputResult& result) {
  const Figures& figures = result.figures;
  Sums& sums = sums_[output];
  sums.threshold = result.threshold;
  sums.metric = result.metric;
  sums.comparable &= !figures.empty();
  if (sums.iterations++ == 0) {
    sums.sums = figures;
    return;
  }
  for (size_t i = 0; i < sums.sums.size() && i < figures.size(); ++i) {
    if (sums.sums[i] && figures[i]) {
      *sums.sums[i] += *figures[i];
    } else {
      sums.sums[i].reset();
    }
  }
}

OutputResult FigureMeans::mean(size_t index) const {
  const auto& [output, sums] = sums_.at_index(index);
  if (!sums.comparable) {
    throw Error(
        "Output: " + output +
        " | Cannot compute an averaged comparison because at least one iteration produced no "
        "comparable metrics (e.g. a shape mismatch). Averaging over only the comparable iterations "
        "would be misleading, so the comparison cannot be evaluated with check_average=True. "
        "Re-run "
        "without check_average to see the per-iteration results.");
  }
  OutputResult means{.figures = sums.sums, .threshold = sums.threshold, .metric = sums.metric};
  for (auto& mean : means.figures) {
    if (mean) *mean /= static_cast<double>(sums.iterations);
  }
  return means;
}

}  // namespace polygraphy
