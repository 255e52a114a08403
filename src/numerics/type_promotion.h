// The type in which two arrays are compared: NumPy's promotion after the widening that the original
// does first (float16 to float32, small integers to int32 …).
#pragma once

#include <complex>
#include <cstdint>

#include "base/arrays/array.h"

namespace polygraphy {

// The arithmetic in which two arrays are compared.
enum class Arithmetic { kBool, kSigned, kUnsigned, kFloat, kDouble, kComplex };

// Neither type may be a string.
Arithmetic arithmetic_of(DataType a, DataType b);

// One element of a real or complex array as a complex number. The array is contiguous and aligned.
std::complex<double> complex_at(const Array& array, int64_t index);

// Whether complex arithmetic on these types needs double precision.
bool needs_double(DataType a, DataType b);

// |a - b|, exact for the whole range of T.
template <typename T>
uint64_t distance(T a, T b) {
  return a > b ? static_cast<uint64_t>(a) - static_cast<uint64_t>(b)
               : static_cast<uint64_t>(b) - static_cast<uint64_t>(a);
}

}  // namespace polygraphy
