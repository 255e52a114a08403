#include "numerics/non_finite.h"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/arrays/convert.h"

namespace polygraphy {
namespace {

// Numbers whose exponent is all ones: infinities where the fraction is 0, else NaNs.
template <typename Bits>
NonFinite scan(const std::byte* data, int64_t count, Bits exponent, Bits fraction) {
  Bits most = 0;  // of all that are not finite
  bool infinity = false;
  for (int64_t i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, data + static_cast<size_t>(i) * sizeof bits, sizeof bits);
    if ((bits & exponent) != exponent) continue;
    const Bits rest = bits & fraction;
    infinity |= rest == 0;
    most |= rest;
  }
  return {.nan = most != 0, .infinity = infinity};
}

}  // namespace

NonFinite non_finite(const Array& values) {
  const Kind kind = kind_of(values.dtype());
  if (kind != Kind::kFloat && kind != Kind::kComplex) return {};
  if (values.size() == 0) return {};
  const Array whole = values.contiguous_aligned();
  const int64_t count = whole.size();
  switch (whole.dtype()) {
    case DataType::kFloat32:
      return scan<uint32_t>(whole.data(), count, 0x7F800000u, 0x007FFFFFu);
    case DataType::kComplex64:
      return scan<uint32_t>(whole.data(), 2 * count, 0x7F800000u, 0x007FFFFFu);
    case DataType::kFloat64:
      return scan<uint64_t>(whole.data(), count, 0x7FF0000000000000u, 0x000FFFFFFFFFFFFFu);
    case DataType::kComplex128:
      return scan<uint64_t>(whole.data(), 2 * count, 0x7FF0000000000000u, 0x000FFFFFFFFFFFFFu);
    case DataType::kFloat16:
      return scan<uint16_t>(whole.data(), count, 0x7C00u, 0x03FFu);
    case DataType::kBfloat16:
      return scan<uint16_t>(whole.data(), count, 0x7F80u, 0x007Fu);
    default:
      return non_finite(convert(whole, DataType::kFloat32));
  }
}

bool has_finite_number(const Array& values) {
  if (kind_of(values.dtype()) != Kind::kFloat) return values.size() > 0;
  for (int64_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values.get_double(i))) return true;
  }
  return false;
}

}  // namespace polygraphy
