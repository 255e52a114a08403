#include "numerics/type_promotion.h"

#include "numerics/block_source.h"

namespace polygraphy {

Arithmetic arithmetic_of(DataType a, DataType b) {
  if (kind_of(a) == Kind::kComplex || kind_of(b) == Kind::kComplex) return Arithmetic::kComplex;
  const bool bools = a == DataType::kBool && b == DataType::kBool;
  if (bools) return Arithmetic::kBool;
  const ComputeType compute_a = compute_type_of(a), compute_b = compute_type_of(b);
  if (compute_a == ComputeType::kInt64 && compute_b == ComputeType::kInt64)
    return Arithmetic::kSigned;
  // float32 and bool make float32; with any integer NumPy goes to float64.
  const auto float_or_bool = [](DataType type, ComputeType compute) {
    return compute == ComputeType::kFloat || type == DataType::kBool;
  };
  if (float_or_bool(a, compute_a) && float_or_bool(b, compute_b)) return Arithmetic::kFloat;
  // uint64 with a signed type makes float64 as well.
  const auto unsigned_or_bool = [](DataType type, ComputeType compute) {
    return compute == ComputeType::kUint64 || type == DataType::kBool;
  };
  if (unsigned_or_bool(a, compute_a) && unsigned_or_bool(b, compute_b))
    return Arithmetic::kUnsigned;
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
