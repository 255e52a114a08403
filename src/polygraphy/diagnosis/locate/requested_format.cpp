#include "polygraphy/diagnosis/locate/requested_format.h"

#include <string_view>

namespace polygraphy {
namespace {

struct NamedFormat {
  std::string_view name;
  NumberFormat format;
};

// Flags, by their keys. Back ends differ in their words.
constexpr NamedFormat kFlags[] = {{"fp16", NumberFormat::kFloat16},
                                  {"bf16", NumberFormat::kBfloat16},
                                  {"fp8", NumberFormat::kFloat8E4M3FN},
                                  {"int8", NumberFormat::kInt8},
                                  {"tf32", NumberFormat::kTf32}};
// Values of "precision" and "dtype".
constexpr NamedFormat kValues[] = {{"f16", NumberFormat::kFloat16},
                                   {"float16", NumberFormat::kFloat16},
                                   {"half", NumberFormat::kFloat16},
                                   {"bf16", NumberFormat::kBfloat16},
                                   {"bfloat16", NumberFormat::kBfloat16}};

}  // namespace

NumberFormat requested_format(const RunnerSpec& spec) {
  NumberFormat coarsest = NumberFormat::kFloat32;
  const auto take = [&](std::span<const NamedFormat> formats, std::string_view name) {
    for (const NamedFormat& named : formats) {
      if (named.name == name && significant_digits(named.format) < significant_digits(coarsest))
        coarsest = named.format;
    }
  };
  for (const auto& [key, values] : spec.session.options) {
    take(kFlags, key);
    if (key != "precision" && key != "dtype") continue;
    for (const std::string& value : values) take(kValues, value);
  }
  return coarsest;
}

}  // namespace polygraphy
