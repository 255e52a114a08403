#include "polygraphy/diagnosis/sensitivity/output_error.h"

#include <cmath>
#include <limits>
#include <span>

#include "base/arrays/convert.h"

namespace polygraphy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename T>
void add_values(std::span<const T> reference, std::span<const T> observed, ErrorSums& sums) {
  double signal = 0, noise = 0;
  for (size_t i = 0; i < reference.size(); ++i) {
    const double expected = reference[i], difference = static_cast<double>(observed[i]) - expected;
    signal += expected * expected;
    noise += difference * difference;
  }
  if (std::isfinite(signal) && std::isfinite(noise)) {
    sums.signal += signal;
    sums.noise += noise;
    return;
  }
  for (size_t i = 0; i < reference.size(); ++i) {
    const double expected = reference[i], other = observed[i];
    if (std::isfinite(expected)) sums.signal += expected * expected;
    if (expected == other || (std::isnan(expected) && std::isnan(other))) continue;
    const double square = (other - expected) * (other - expected);
    sums.noise += std::isfinite(square) ? square : kInfinity;
  }
}

}  // namespace

double ErrorSums::relative() const {
  if (noise == 0) return 0;
  return signal > 0 ? std::sqrt(noise / signal) : kInfinity;
}

double ErrorSums::decibels() const {
  if (noise == 0) return kInfinity;
  return signal > 0 ? 10 * std::log10(signal / noise) : -kInfinity;
}

void add_error(const Array& reference, const Array& observed, ErrorSums& sums) {
  if (reference.shape() != observed.shape()) {
    sums.noise = kInfinity;
    return;
  }
  const auto type =
      reference.dtype() == DataType::kFloat64 ? DataType::kFloat64 : DataType::kFloat32;
  const Array a = convert(reference, type).contiguous_aligned(),
              b = convert(observed, type).contiguous_aligned();
  if (type == DataType::kFloat64) {
    add_values(a.as<double>(), b.as<double>(), sums);
  } else {
    add_values(a.as<float>(), b.as<float>(), sums);
  }
}

}  // namespace polygraphy
