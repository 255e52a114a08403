#include "polygraphy/diagnosis/locate/judging/judged_error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "polygraphy/diagnosis/locate/judging/rules.h"
#include "polygraphy/diagnosis/locate/judging/unmasked.h"

namespace polygraphy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A part of the reference's size that a correct engine may be off in any case. Other formats are
// added up in float32, whose errors they do not see; rounding alone moves a result by a unit, which
// is within the usual threshold, whatever few evaluations find.
double floor_of(NumberFormat format, double sums) {
  const double unit = std::ldexp(1.0, -significant_digits(format));
  return format == NumberFormat::kFloat32 ? (rules::kFloorOfFloat32 + sums) * unit
                                          : rules::kFloor * unit;
}

// Three evaluations of one number may find a small part of its noise.
double of_few(int64_t elements) {
  return 1 + rules::kFewOfOne / static_cast<double>(std::max<int64_t>(elements, 1));
}

double ratio_of(double error, double noise) {
  if (error == 0) return 0;
  return noise == 0 ? kInfinity : error / noise;
}

// The reference with the observed number wherever that is the largest of the format in place of one
// beyond: some engines saturate, where others have infinities. nullopt: nowhere. O(elements).
std::optional<Array> saturated(const Array& reference, const Array& observed, double largest) {
  if (!is_floating(reference.dtype()) || !is_floating(observed.dtype()) ||
      reference.shape() != observed.shape())
    return std::nullopt;
  const Array seen = floats_of(observed);
  Array right = floats_of(reference).clone();
  auto* to = reinterpret_cast<float*>(right.mutable_data());
  bool any = false;
  for (int64_t i = 0; i < right.size(); ++i) {
    const float number = seen.as<float>()[i];
    if (!(std::fabs(to[i]) > largest) || !std::isfinite(to[i]) || !std::isfinite(number)) continue;
    if (std::fabs(number) < rules::kSaturated * largest ||
        std::signbit(number) != std::signbit(to[i]))
      continue;
    to[i] = number;
    any = true;
  }
  return any ? std::optional(std::move(right)) : std::nullopt;
}

// The difference of sizes / the noise of each size.
double ratio_of_sizes(const Array& reference, const Array& observed, const Noise& noise) {
  const size_t rank = reference.shape().size();
  if (reference.dtype() != observed.dtype() || observed.shape().size() != rank ||
      noise.resized.size() != rank)
    return kInfinity;
  double ratio = 1;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t difference = std::abs(reference.shape()[i] - observed.shape()[i]);
    ratio = std::max(
        ratio, ratio_of(static_cast<double>(difference), static_cast<double>(noise.resized[i])));
  }
  return ratio;
}

}  // namespace

double noise_ratio(const TensorError& error, double noise_norm, double noise_largest,
                   double floor) {
  if (!error.incomparable.empty() || error.non_finite_mismatches > 0) return kInfinity;
  const double by_norm = ratio_of(error.norm, std::max(noise_norm, floor * error.reference_norm));
  const double by_largest =
      ratio_of(error.largest, std::max(noise_largest, floor * error.magnitude()));
  return std::max(by_norm, by_largest / rules::kLargest);
}

NumberFormat format_of_numbers(NumberFormat format, const Array& reference, const Array& observed) {
  const NumberFormat own = coarser(format, reference.dtype()).value_or(NumberFormat::kFloat32);
  return coarser(own, observed.dtype()).value_or(own);
}

JudgedError judged_error(const Array& reference, const Array& observed, NumberFormat format,
                         const Noise& noise, const Accumulation& accumulation) {
  const NumberFormat own = format_of_numbers(format, reference, observed);
  const double sums = std::sqrt(accumulation.sum_length);
  const bool in_noise = accumulation.in_noise && format == NumberFormat::kFloat32;
  const double longer =
      own == NumberFormat::kFloat32 && !in_noise ? error_of_sums(accumulation) : 1;
  JudgedError judged{.error = measure_error(reference, observed, own),
                     .noise_norm = noise.norm * longer,
                     .noise_largest = noise.largest * longer,
                     .noise_torn = noise.kinds.size() > 0 || !noise.resized.empty()};
  if (accumulation.counts_floats) {
    judged.noise_largest = std::max(judged.noise_largest, 1.0);
    judged.noise_norm = std::max(
        judged.noise_norm,
        std::sqrt(std::max(1.0, rules::kTies * static_cast<double>(judged.error.elements))));
  }
  // Whole numbers are right or wrong.
  const double few = is_floating(reference.dtype()) ? of_few(judged.error.elements) : 1;
  judged.noise_norm *= few;
  judged.noise_largest *= few;
  const double floor = is_floating(reference.dtype()) ? few * floor_of(own, sums) : 0;
  const double largest = largest_number(own);
  const auto fitted =
      judged.error.magnitude() > largest ? saturated(reference, observed, largest) : std::nullopt;
  TensorError error = fitted ? measure_error(*fitted, observed, own) : judged.error;
  const bool torn = error.non_finite_mismatches > 0;
  if (torn) {
    error.non_finite_mismatches =
        unexplained_kinds(noise.kinds, reference, observed,
                          std::max(largest / 2, largest - rules::kFew * noise.largest));
  }
  // A shape that depends on the numbers may be another one.
  if (!error.incomparable.empty() && !noise.resized.empty()) {
    judged.ratio = ratio_of_sizes(reference, observed, noise);
    return judged;
  }
  judged.ratio = noise_ratio(error, judged.noise_norm, judged.noise_largest, floor);
  if (judged.error.exact) return judged;
  judged.by_element = ratio_of_elements(fitted ? *fitted : reference, observed, noise,
                                        rules::kFloorOfElements * floor);
  // A mask hides errors of the other numbers.
  const bool masked = judged.error.least_number <= rules::kMask;
  if (const auto others = masked ? unmasked(reference, observed) : std::nullopt) {
    JudgedError beside = judged;
    beside.error = measure_error(others->first, others->second, own);
    beside.noise_norm = noise.unmasked_norm * longer * few;
    beside.noise_largest = noise.unmasked_largest * longer * few;
    beside.ratio = noise_ratio(beside.error, beside.noise_norm, beside.noise_largest, floor);
    if (beside.ratio > judged.ratio) judged = std::move(beside);
  }
  // Elements that the format cannot hold are as far off as they must be.
  if (torn || fitted) judged.ratio = std::max(1.0, judged.ratio);
  return judged;
}

}  // namespace polygraphy
