#include "polygraphy/diagnosis/locate/judging/noise.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <vector>

#include "polygraphy/diagnosis/locate/judging/numbers_of.h"
#include "polygraphy/diagnosis/locate/judging/unmasked.h"
#include "polygraphy/models/noise/tensor_error.h"

namespace polygraphy {
namespace {

constexpr int64_t kPart = 100;  // one element in a hundred
constexpr int64_t kLeast = 2;   // elements

std::vector<double> differences(const Array& a, const Array& b) {
  const std::vector<double> x = numbers_of(a), y = numbers_of(b);
  std::vector<double> result(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const double difference = std::fabs(x[i] - y[i]);
    // NaNs and infinities are counted elsewhere.
    result[i] = std::isfinite(difference) ? difference : 0;
  }
  return result;
}

void add_sizes(Noise& noise, const Shape& exact, const Shape& observed) {
  if (exact.size() != observed.size()) return;
  noise.resized.resize(exact.size());
  for (size_t i = 0; i < exact.size(); ++i)
    noise.resized[i] = std::max(noise.resized[i], std::abs(exact[i] - observed[i]));
}

}  // namespace

void add_noise(Noise& noise, const Array& exact, const Array& observed, NumberFormat format) {
  const TensorError error = measure_error(exact, observed, format);
  noise.norm = std::max(noise.norm, error.norm);
  noise.largest = std::max(noise.largest, error.largest);
  if (const auto others = unmasked(exact, observed)) {
    const TensorError beside = measure_error(others->first, others->second, format);
    noise.unmasked_norm = std::max(noise.unmasked_norm, beside.norm);
    noise.unmasked_largest = std::max(noise.unmasked_largest, beside.largest);
  }
  if (exact.shape() != observed.shape()) add_sizes(noise, exact.shape(), observed.shape());
  if (!error.incomparable.empty() || !is_floating(exact.dtype())) return;
  const bool first = noise.of_elements.size() != exact.size();
  if (error.non_finite_mismatches > 0 || noise.kinds.size() > 0)
    add_kinds(noise.kinds, exact, observed, first);
  if (first) noise.of_elements = Array::zeros(DataType::kFloat32, {exact.size()});
  if (error.exact) return;
  auto* largest = reinterpret_cast<float*>(noise.of_elements.mutable_data());
  const std::vector<double> here = differences(exact, observed);
  for (size_t i = 0; i < here.size(); ++i)
    largest[i] = std::max(largest[i], static_cast<float>(here[i]));
}

double ratio_of_elements(const Array& reference, const Array& observed, const Noise& noise,
                         double floor) {
  if (noise.of_elements.size() != reference.size() || reference.shape() != observed.shape() ||
      !is_floating(reference.dtype()) || reference.size() == 0)
    return 0;
  std::vector<double> ratios = differences(reference, observed);
  const std::vector<double> numbers = numbers_of(reference);
  const auto noises = noise.of_elements.as<float>();
  for (size_t i = 0; i < ratios.size(); ++i) {
    if (ratios[i] == 0) continue;
    // Few evaluations find less than the largest noise of an element.
    const double allowed = 2 * static_cast<double>(noises[i]) + floor * std::fabs(numbers[i]) +
                           static_cast<double>(std::numeric_limits<float>::min());
    ratios[i] /= allowed;
  }
  const int64_t exceeding = std::max(kLeast, reference.size() / kPart);
  if (exceeding > reference.size()) return 0;
  const auto at = ratios.begin() + static_cast<ptrdiff_t>(exceeding - 1);
  std::nth_element(ratios.begin(), at, ratios.end(), std::greater<>());
  return *at;
}

}  // namespace polygraphy
