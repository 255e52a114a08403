#include "numerics/equal_arrays.h"

#include <algorithm>
#include <cstring>

#include "numerics/block_source.h"

namespace polygraphy {
namespace {

template <typename T>
bool holds_zero(const T* x, int64_t count) {
  constexpr int64_t kStep = 64;  // a number that the compiler knows: it compares vectors
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    int zeros = 0;
    for (int64_t k = 0; k < kStep; ++k) zeros |= x[i + k] == T{0};
    if (zeros != 0) return true;
  }
  return std::find(x + i, x + count, T{0}) != x + count;
}

}  // namespace

bool same_bytes(const Array& a, const Array& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape() || a.dtype() == DataType::kString ||
      !a.contiguous() || !b.contiguous()) {
    return false;
  }
  return a.data() == b.data() ||
         std::memcmp(a.data(), b.data(), static_cast<size_t>(a.nbytes())) == 0;
}

bool has_zeros(const Array& array, const Statistics& statistics) {
  if (statistics.min == 0 || statistics.max == 0) return true;
  if (statistics.min > 0 || statistics.max < 0) return false;
  ArraySource source(array);
  for (int64_t start = 0; start < source.size(); start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, source.size() - start);
    const void* block = source.read(start, count);
    const bool found = compute_type_of(array.dtype()) == ComputeType::kDouble
                           ? holds_zero(static_cast<const double*>(block), count)
                           : holds_zero(static_cast<const float*>(block), count);
    if (found) return true;
  }
  return false;
}

Statistics statistics_of_zeros(DataType dtype, const Shape& shape, size_t extra_quantiles) {
  Statistics s;
  s.dtype = dtype;
  s.shape = shape;
  s.size = element_count(shape);
  s.computed = true;
  s.extra_quantiles.assign(extra_quantiles, 0);
  return s;
}

}  // namespace polygraphy
