#include "numerics/pair_blocks.h"

namespace polygraphy {

Arithmetic arithmetic_of(DataType a, DataType b) {
  if (kind_of(a) == Kind::kComplex || kind_of(b) == Kind::kComplex) return Arithmetic::kComplex;
  const bool bools = a == DataType::kBool && b == DataType::kBool;
  if (bools) return Arithmetic::kBool;
  const Lane lane_a = lane_of(a), lane_b = lane_of(b);
  if (lane_a == Lane::kInt64 && lane_b == Lane::kInt64) return Arithmetic::kSigned;
  // float32 and bool make float32; with any integer NumPy goes to float64.
  const auto float_or_bool = [](DataType type, Lane lane) {
    return lane == Lane::kFloat || type == DataType::kBool;
  };
  if (float_or_bool(a, lane_a) && float_or_bool(b, lane_b)) return Arithmetic::kFloat;
  // uint64 with a signed type makes float64 as well.
  const auto unsigned_or_bool = [](DataType type, Lane lane) {
    return lane == Lane::kUint64 || type == DataType::kBool;
  };
  if (unsigned_or_bool(a, lane_a) && unsigned_or_bool(b, lane_b)) return Arithmetic::kUnsigned;
  return Arithmetic::kDouble;
}

std::complex<double> complex_at(const Array& array, int64_t index) {
  switch (array.dtype()) {
    case DataType::kComplex64:
      return array.as<std::complex<float>>()[static_cast<size_t>(index)];
    case DataType::kComplex128:
      return array.as<std::complex<double>>()[static_cast<size_t>(index)];
    default:
      return array.get_double(index);
  }
}

bool needs_double(DataType a, DataType b) {
  const auto wide = [](DataType type) {
    return type == DataType::kFloat64 || type == DataType::kComplex128 || is_integral(type);
  };
  return wide(a) || wide(b);
}

}  // namespace polygraphy
