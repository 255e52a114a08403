#include "polygraphy/models/noise/number_format.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace polygraphy {
namespace {

struct Properties {
  NumberFormat format;
  std::string_view name;
  int digits;
  double largest;
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// In the order of NumberFormat.
constexpr Properties kProperties[] = {
    {NumberFormat::kFloat32, "float32", 24, 3.4028234663852886e38},
    {NumberFormat::kTf32, "tf32", 11, 3.4011621342146535e38},
    {NumberFormat::kFloat16, "float16", 11, 65504},
    {NumberFormat::kBfloat16, "bfloat16", 8, 3.3895313892515355e38},
    {NumberFormat::kFloat8E4M3FN, "float8e4m3fn", 4, 448},
    {NumberFormat::kFloat8E5M2, "float8e5m2", 3, 57344},
    {NumberFormat::kInt8, "int8", 8, kInfinity},
};

constexpr NumberFormat kAll[] = {NumberFormat::kFloat32,      NumberFormat::kTf32,
                                 NumberFormat::kFloat16,      NumberFormat::kBfloat16,
                                 NumberFormat::kFloat8E4M3FN, NumberFormat::kFloat8E5M2,
                                 NumberFormat::kInt8};

const Properties& properties(NumberFormat format) {
  return kProperties[static_cast<size_t>(format)];
}

std::optional<NumberFormat> format_of(DataType type) {
  switch (type) {
    case DataType::kFloat32:
    case DataType::kFloat64:  // the widest format here: engines compute it as float32, or better
      return NumberFormat::kFloat32;
    case DataType::kFloat16:
      return NumberFormat::kFloat16;
    case DataType::kBfloat16:
      return NumberFormat::kBfloat16;
    case DataType::kFloat8E4M3FN:
    case DataType::kFloat8E4M3FNUZ:
      return NumberFormat::kFloat8E4M3FN;
    case DataType::kFloat8E5M2:
    case DataType::kFloat8E5M2FNUZ:
      return NumberFormat::kFloat8E5M2;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string_view name_of(NumberFormat format) {
  return properties(format).name;
}

std::optional<NumberFormat> parse_number_format(std::string_view name) {
  for (const Properties& one : kProperties) {
    if (one.name == name) return one.format;
  }
  if (name == "int8" || name == "INT8") return NumberFormat::kInt8;
  const auto type = parse_data_type(name);
  return type && *type != DataType::kFloat64 ? format_of(*type) : std::nullopt;
}

std::span<const NumberFormat> all_number_formats() {
  return kAll;
}

int significant_digits(NumberFormat format) {
  return properties(format).digits;
}

double largest_number(NumberFormat format) {
  return properties(format).largest;
}

std::optional<NumberFormat> coarser(NumberFormat format, DataType type) {
  const auto own = format_of(type);
  if (!own) return std::nullopt;
  if (format == NumberFormat::kInt8) return format;
  return significant_digits(*own) < significant_digits(format) ? *own : format;
}

}  // namespace polygraphy
