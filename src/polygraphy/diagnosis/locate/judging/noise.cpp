#include "polygraphy/diagnosis/locate/judging/noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>

#include "base/arrays/convert.h"
#include "polygraphy/diagnosis/locate/judging/numbers_of.h"
#include "polygraphy/diagnosis/locate/judging/rules.h"
#include "polygraphy/diagnosis/locate/judging/unmasked.h"
#include "polygraphy/models/noise/number_errors.h"
#include "polygraphy/models/noise/tensor_error.h"

namespace polygraphy {
namespace {

double difference(double a, double b) {
  const double difference = std::fabs(a - b);
  // NaNs and infinities are counted elsewhere.
  return difference <= std::numeric_limits<double>::max() ? difference : 0;
}

// Hands the numbers of both to `use`, without copies of the usual type.
void with_numbers(const Array& a, const Array& b, const auto& use) {
  if (a.dtype() == DataType::kFloat32 && b.dtype() == DataType::kFloat32) {
    const Array x = a.contiguous_aligned(), y = b.contiguous_aligned();
    return use(x.as<float>(), y.as<float>());
  }
  const auto wide = [](const Array& array) {
    return convert(array.contiguous_aligned(), DataType::kFloat64).contiguous_aligned();
  };
  const Array x = wide(a), y = wide(b);
  use(x.as<double>(), y.as<double>());
}

// The number that `rank` of `count` numbers are not below, 1 for the largest. Few of them are
// sorted: those that are not below what a sample says.
double largest_of(size_t count, size_t rank, const auto& number) {
  constexpr size_t kSample = 1024, kStep = 7919;
  std::vector<double> chosen;
  const auto nth = [&](size_t n) {
    const auto at = chosen.begin() + static_cast<ptrdiff_t>(n - 1);
    std::nth_element(chosen.begin(), at, chosen.end(), std::greater<>());
    return *at;
  };
  double least = -1;
  if (count > 16 * kSample) {
    for (size_t i = 0; i < kSample; ++i) chosen.push_back(number(i * kStep % count));
    least = nth(std::max<size_t>(1, 3 * rank * kSample / count));
    chosen.clear();
  }
  constexpr size_t kBlock = 256;  // computed by vector instructions, and then chosen from
  std::array<double, kBlock> block{};
  for (const double bound : {least, -1.0}) {
    for (size_t begin = 0; begin < count; begin += kBlock) {
      const size_t size = std::min(kBlock, count - begin);
      for (size_t i = 0; i < size; ++i) block[i] = number(begin + i);
      std::copy_if(block.begin(), block.begin() + static_cast<ptrdiff_t>(size),
                   std::back_inserter(chosen), [&](double each) { return each >= bound; });
    }
    if (chosen.size() >= rank) break;
    chosen.clear();
  }
  return nth(rank);
}

void add_sizes(Noise& noise, const Shape& exact, const Shape& observed) {
  if (exact.size() != observed.size()) return;
  noise.resized.resize(exact.size());
  for (size_t i = 0; i < exact.size(); ++i)
    noise.resized[i] = std::max(noise.resized[i], std::abs(exact[i] - observed[i]));
}

constexpr unsigned kFinite = 1, kNan = 2, kInfinite = 4, kNegative = 8, kAll = 15;
constexpr unsigned kEach = 4;  // the shift of kinds that each evaluation gave

unsigned kind_of(double number) {
  if (std::isfinite(number)) return kFinite;
  if (std::isnan(number)) return kNan;
  return number > 0 ? kInfinite : kNegative;
}

// The number is so large that the format may make an infinity of it, or NaN: fused engines overflow
// before it, and subtract infinities.
bool is_beyond(double number, double largest) {
  return std::isnan(number) || std::fabs(number) >= largest;
}

bool opposite(double a, double b) {
  return !std::isnan(a) && !std::isnan(b) && std::signbit(a) != std::signbit(b);
}

// Adds an evaluation, the first one or a later one. Of the same shape, O(elements).
void add_kinds(NumberKinds& kinds, const Array& exact, const Array& observed, bool first) {
  const std::vector<double> x = numbers_of(exact), y = numbers_of(observed);
  const bool known = kinds.size() == exact.size();
  if (!known) kinds = Array::zeros(DataType::kUint8, {exact.size()});
  auto* of_elements = reinterpret_cast<uint8_t*>(kinds.mutable_data());
  for (size_t i = 0; i < x.size(); ++i) {
    const unsigned right = kind_of(x[i]), seen = kind_of(y[i]);
    const unsigned earlier = known ? of_elements[i] : right | (first ? kAll : right) << kEach;
    of_elements[i] = static_cast<uint8_t>((earlier | seen) & (kAll | seen << kEach));
  }
}

}  // namespace

void add_noise(Noise& noise, const Array& exact, const Array& observed, NumberFormat format) {
  const TensorError error = measure_error(exact, observed, format);
  noise.norm = std::max(noise.norm, error.norm);
  noise.largest = std::max(noise.largest, error.largest);
  const bool masked = !error.exact && error.least_number <= rules::kMask;
  if (const auto others = masked ? unmasked(exact, observed) : std::nullopt) {
    const TensorError beside = measure_error(others->first, others->second, format);
    noise.unmasked_norm = std::max(noise.unmasked_norm, beside.norm);
    noise.unmasked_largest = std::max(noise.unmasked_largest, beside.largest);
  }
  if (exact.shape() != observed.shape()) add_sizes(noise, exact.shape(), observed.shape());
  if (!error.incomparable.empty() || !is_floating(exact.dtype())) return;
  const bool first = noise.of_elements.size() != exact.size();
  if (error.non_finite_mismatches > 0 || noise.kinds.size() > 0)
    add_kinds(noise.kinds, exact, observed, first);
  if (first) {
    const auto make = error.exact ? Array::zeros : Array::uninitialized;
    noise.of_elements = make(DataType::kFloat32, {exact.size()});
  }
  if (error.exact) return;
  auto* largest = reinterpret_cast<float*>(noise.of_elements.mutable_data());
  with_numbers(exact, observed, [&](auto x, auto y) {
    raise_to_differences(x.data(), y.data(), std::ssize(x), largest, first);
  });
}

double ratio_of_elements(const Array& reference, const Array& observed, const Noise& noise,
                         double floor) {
  if (noise.of_elements.size() != reference.size() || reference.shape() != observed.shape() ||
      !is_floating(reference.dtype()) || reference.size() == 0)
    return 0;
  const int64_t exceeding = std::max(rules::kFewestElements, reference.size() / rules::kOneIn);
  if (exceeding > reference.size()) return 0;
  const auto noises = noise.of_elements.as<float>();
  double result = 0;
  with_numbers(reference, observed, [&](auto x, auto y) {
    result = largest_of(x.size(), static_cast<size_t>(exceeding), [&](size_t i) {
      const double error = difference(x[i], y[i]);
      const double allowed = rules::kFew * static_cast<double>(noises[i]) +
                             floor * std::fabs(static_cast<double>(x[i])) +
                             static_cast<double>(std::numeric_limits<float>::min());
      const double ratio = error / allowed;
      return error > 0 ? ratio : 0;  // without a branch
    });
  });
  return result;
}

int64_t unexplained_kinds(const NumberKinds& kinds, const Array& reference, const Array& observed,
                          double largest) {
  const std::vector<double> x = numbers_of(reference), y = numbers_of(observed);
  const bool known = kinds.size() == reference.size();
  std::array<int64_t, kAll + 1> unexplained{}, varying{};
  for (size_t i = 0; i < x.size(); ++i) {
    const unsigned right = kind_of(x[i]), seen = kind_of(y[i]);
    const unsigned all = known ? kinds.as<uint8_t>()[i] : 0, each = all >> kEach;
    for (const unsigned kind : {kFinite, kNan, kInfinite, kNegative})
      varying[kind] += (all & kind) != 0 && each == 0;
    const bool overflows =
        is_beyond(x[i], largest) && is_beyond(y[i], largest) && !opposite(x[i], y[i]);
    // Engines compute different numbers of NaN: OpenVINO's exp(NaN) is infinite.
    if (right == seen || overflows || (all & kNan) != 0) continue;
    const unsigned strange = (right | seen) & ~all;
    if (strange != 0) ++unexplained[(strange & seen) != 0 ? seen : right];
  }
  int64_t count = 0;
  for (const unsigned kind : {kFinite, kNan, kInfinite, kNegative})
    count += unexplained[kind] > varying[kind] ? unexplained[kind] : 0;
  return count;
}

}  // namespace polygraphy
