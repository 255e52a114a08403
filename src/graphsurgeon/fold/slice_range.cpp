#include "graphsurgeon/fold/slice_range.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "graphsurgeon/fold/node_operands.h"

namespace graphsurgeon {

std::optional<std::vector<SliceParameters>> slice_parameters(const Node& node, size_t rank,
                                                             FoldContext& context) {
  bool missing = false;
  const auto starts = int_parameter(node, "starts", 1, context, missing);
  const auto ends = int_parameter(node, "ends", 2, context, missing);
  if (!starts || !ends || starts->size() != ends->size()) return std::nullopt;
  auto axes = int_parameter(node, "axes", 3, context, missing);
  if (!axes) {
    if (!missing) return std::nullopt;
    axes.emplace(starts->size());
    std::iota(axes->begin(), axes->end(), 0);
  }
  // No version has an attribute for steps; the original obeys it.
  auto steps = int_parameter(node, "steps", 4, context, missing);
  if (missing) steps.emplace(starts->size(), 1);
  if (!steps || axes->size() != starts->size() || steps->size() != starts->size()) {
    return std::nullopt;
  }
  std::vector<SliceParameters> result;
  std::vector<bool> seen(rank, false);
  for (size_t i = 0; i < starts->size(); ++i) {
    const auto axis = checked_axis((*axes)[i], rank);
    const int64_t step = (*steps)[i];
    if (!axis || seen[*axis] || step == 0 || step == std::numeric_limits<int64_t>::min()) {
      return std::nullopt;
    }
    seen[*axis] = true;
    result.push_back({*axis, (*starts)[i], (*ends)[i], step});
  }
  return result;
}

SliceRange slice_range(const SliceParameters& p, int64_t dim) {
  const bool forward = p.step > 0;
  const auto clamped = [&](int64_t at, int64_t low, int64_t high) {
    return std::clamp(at < 0 ? at + dim : at, low, high);
  };
  const int64_t start =
      forward ? clamped(p.start, 0, dim) : clamped(p.start, 0, std::max<int64_t>(dim - 1, 0));
  const int64_t end = forward ? clamped(p.end, 0, dim) : clamped(p.end, -1, dim - 1);
  const int64_t span = forward ? end - start : start - end;
  const int64_t stride = forward ? p.step : -p.step;
  const int64_t count = dim == 0 || span <= 0 ? 0 : (span - 1) / stride + 1;
  return {start, count, p.step};
}

}  // namespace graphsurgeon
