// The formats of numbers that an engine may compute with.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/arrays/dtype.h"

namespace polygraphy {

enum class NumberFormat : uint8_t {
  kFloat32,
  kTf32,  // float32 with 10 digits behind the point
  kFloat16,
  kBfloat16,
  kFloat8E4M3FN,
  kFloat8E5M2,
  kInt8,  // whole multiples of a scale: of a tensor its largest magnitude / 127
};

// "float16"; of kTf32 "tf32".
std::string_view name_of(NumberFormat format);
// These names, and those of ONNX. nullopt: no format here.
std::optional<NumberFormat> parse_number_format(std::string_view name);
std::span<const NumberFormat> all_number_formats();

// Binary digits of a number, the leading one included: 24 of float32, 8 of bfloat16. Of kInt8 8.
int significant_digits(NumberFormat format);
// The largest finite number. Of kInt8, whose scale follows the numbers, infinity.
double largest_number(NumberFormat format);

// The coarser of both: what numbers of an element type become when an engine computes in `format`.
// nullopt: the type has no floating-point numbers.
std::optional<NumberFormat> coarser(NumberFormat format, DataType type);

}  // namespace polygraphy
