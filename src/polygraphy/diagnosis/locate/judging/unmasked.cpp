#include "polygraphy/diagnosis/locate/judging/unmasked.h"

#include <algorithm>
#include <cmath>

#include "base/arrays/convert.h"
#include "polygraphy/diagnosis/locate/judging/rules.h"

namespace polygraphy {

Array floats_of(const Array& array) {
  return convert(array.contiguous_aligned(), DataType::kFloat32).contiguous_aligned();
}

std::optional<std::pair<Array, Array>> unmasked(const Array& reference, const Array& observed) {
  if (!is_floating(reference.dtype()) || !is_floating(observed.dtype()) ||
      reference.shape() != observed.shape())
    return std::nullopt;
  const Array floats = floats_of(reference);
  const auto numbers = floats.as<float>();
  double least = 0;
  for (const float number : numbers) {
    if (std::isfinite(number)) least = std::min(least, static_cast<double>(number));
  }
  if (least > rules::kMask) return std::nullopt;
  const auto is_masked = [&](double number) { return number <= least / rules::kAlike; };
  bool others = false;
  for (const double number : numbers) {
    if (!std::isfinite(number) || is_masked(number)) continue;
    if (std::fabs(number) > -least * rules::kGap) return std::nullopt;
    others |= number != 0;
  }
  if (!others) return std::nullopt;
  Array right = floats.clone(), seen = floats_of(observed).clone();
  auto* to = reinterpret_cast<float*>(right.mutable_data());
  auto* from = reinterpret_cast<float*>(seen.mutable_data());
  for (int64_t i = 0; i < right.size(); ++i) {
    // NaNs and infinities are judged with the whole.
    if (std::isfinite(to[i]) && std::isfinite(from[i]) && !is_masked(to[i])) continue;
    to[i] = from[i] = 0;
  }
  return std::pair(std::move(right), std::move(seen));
}

}  // namespace polygraphy
