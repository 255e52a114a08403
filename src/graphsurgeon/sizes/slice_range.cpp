#include "graphsurgeon/sizes/slice_range.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace graphsurgeon {

std::optional<std::vector<SliceParameters>> slice_parameters(
    size_t rank, const std::vector<int64_t>& starts, const std::vector<int64_t>& ends,
    std::optional<std::vector<int64_t>> axes, std::optional<std::vector<int64_t>> steps) {
  if (!axes) {
    axes.emplace(starts.size());
    std::iota(axes->begin(), axes->end(), 0);
  }
  if (!steps) steps.emplace(starts.size(), 1);
  if (ends.size() != starts.size() || axes->size() != starts.size() ||
      steps->size() != starts.size()) {
    return std::nullopt;
  }
  std::vector<SliceParameters> result;
  std::vector<bool> seen(rank, false);
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto dims = static_cast<int64_t>(rank);
    const int64_t given = (*axes)[i], step = (*steps)[i];
    if (given < -dims || given >= dims) return std::nullopt;
    const auto axis = static_cast<size_t>(given < 0 ? given + dims : given);
    if (seen[axis] || step == 0 || step == std::numeric_limits<int64_t>::min()) {
      return std::nullopt;
    }
    seen[axis] = true;
    result.push_back({axis, starts[i], ends[i], step});
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
