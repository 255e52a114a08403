// The number formats in which an engine may compute.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/arrays/dtype.h"
#include "base/record.h"

namespace polygraphy {

enum class NumberFormat : uint8_t {
  kFloat32,
  kTf32,  // float32 with 10 digits behind the point
  kFloat16,
  kBfloat16,
  kFloat8E4M3FN,
  kFloat8E5M2,
  kInt8,  // multiples of a scale: the largest magnitude of the tensor / 127
};

// "float16"; "tf32" for kTf32.
std::string_view name_of(NumberFormat format);
constexpr auto all_of(RecordOf<NumberFormat>) {
  return values_up_to<NumberFormat::kInt8>();
}
// Reads these names, and ONNX's. nullopt: an unknown format.
std::optional<NumberFormat> parse_number_format(std::string_view name);
std::span<const NumberFormat> all_number_formats();

// Binary digits of a number, including the leading one: 24 for float32, 8 for bfloat16 and kInt8.
int significant_digits(NumberFormat format);
// The largest finite number; infinity for kInt8, as its scale follows the numbers.
double largest_number(NumberFormat format);

// The coarser of both: the format of numbers of an element type when an engine computes in
// `format`. nullopt: not a floating-point type.
std::optional<NumberFormat> coarser(NumberFormat format, DataType type);

}  // namespace polygraphy
