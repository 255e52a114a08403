// Conversion between element types, bit-exact with NumPy and ml_dtypes (round to nearest even).
#pragma once

#include <cstdint>

#include "base/arrays/array.h"

namespace polygraphy {

// Scalar conversions. Encodings: ONNX spec "Float stored in 8 bits", "Float stored in 4 bits";
// ml_dtypes.
float float16_to_float(uint16_t bits);
uint16_t float_to_float16(float value);
uint16_t double_to_float16(double value);  // one rounding, as NumPy does
float bfloat16_to_float(uint16_t bits);
uint16_t float_to_bfloat16(float value);

// One element of any non-string, non-complex type.
double decode_double(DataType type, uint64_t bits);
uint64_t encode_double(DataType type, double value);
// Integers and bool exactly (uint64 wraps), floats as convert() to int64 does.
int64_t decode_int64(DataType type, uint64_t bits);

// A new contiguous array of `type`. Semantics of numpy's astype / ml_dtypes casts: float -> integer
// truncates (out of range as the C cast on this platform), integer -> integer wraps, anything ->
// bool is `!= 0`. float8 saturation as ml_dtypes (overflow -> NaN or inf by kind). Strings convert
// only to strings. Complex -> real keeps the real part. Throws Error naming both types when there
// is no conversion. Returns `array` itself when the type is the same.
Array convert(const Array& array, DataType type);

}  // namespace polygraphy
