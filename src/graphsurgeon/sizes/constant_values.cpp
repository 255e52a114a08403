#include "graphsurgeon/sizes/constant_values.h"

#include <cmath>
#include <string>

#include "base/error.h"

namespace graphsurgeon {

namespace {

// More floats are data, not scales.
constexpr int64_t kMostFloats = 8;

// A fraction with a small denominator that is a power of 2, with which runtimes compute exactly.
Dim exact_fraction(double value) {
  constexpr int kParts = 1024;
  const double scaled = value * kParts;
  if (!(std::fabs(scaled) < 9007199254740992.0) || scaled != std::trunc(scaled)) return {};
  const Rational exact(static_cast<int64_t>(scaled), kParts);
  if (exact.is_integer()) return exact.numerator();
  return std::string_view(std::to_string(exact.numerator()) + "/" +
                          std::to_string(exact.denominator()));
}

}  // namespace

std::optional<KnownValues> constant_values(const Payload& values, std::string_view name) {
  const DataType dtype = values.dtype();
  const bool is_float = dtype == DataType::kFloat32 || dtype == DataType::kFloat64;
  const bool counts = polygraphy::is_integral(dtype) || dtype == DataType::kBool;
  if (values.kind() == Payload::Kind::kSparse || !(is_float || counts) ||
      values.size() > (is_float ? kMostFloats : kMostElements)) {
    return std::nullopt;
  }
  try {
    const Array array = values.load(name);
    KnownValues result{array.shape(), {}};
    for (int64_t i = 0; i < array.size(); ++i) {
      if (is_float) {
        result.elements.push_back(exact_fraction(array.get_double(i)));
        continue;
      }
      const int64_t value = array.get_int64(i);
      const bool too_large = dtype == DataType::kUint64 && value < 0;
      result.elements.push_back(too_large ? Dim() : Dim(value));
    }
    return result;
  } catch (const polygraphy::Error&) {
    return std::nullopt;
  }
}

std::optional<KnownValues> constant_values(const decltype(Attribute::value)& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return KnownValues{{}, {*number}};
  if (const auto* number = std::get_if<float>(&value)) {
    return KnownValues{{}, {exact_fraction(*number)}};
  }
  KnownValues result;
  if (const auto* list = std::get_if<std::vector<int64_t>>(&value)) {
    if (list->size() > static_cast<size_t>(kMostElements)) return std::nullopt;
    result.elements.assign(list->begin(), list->end());
  } else if (const auto* floats = std::get_if<std::vector<float>>(&value)) {
    if (floats->size() > static_cast<size_t>(kMostFloats)) return std::nullopt;
    for (const float each : *floats) result.elements.push_back(exact_fraction(each));
  } else {
    return std::nullopt;
  }
  result.shape = {static_cast<int64_t>(result.elements.size())};
  return result;
}

}  // namespace graphsurgeon
