#include "polygraphy/models/noise/rounding.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "base/arrays/convert.h"
#include "base/thread_pool.h"
#include "polygraphy/models/noise/random_number.h"

namespace polygraphy {
namespace {

constexpr int64_t kGrain = 1 << 16;

// The distance between neighbours of `number` in a format; `unit`: at 1.
float step_at(float number, float unit, float smallest_step) {
  const uint32_t exponent = std::bit_cast<uint32_t>(number) & 0x7f800000u;
  const float step = std::bit_cast<float>(exponent) * unit;
  return step < smallest_step ? smallest_step : step;
}

float smallest_step(NumberFormat format) {
  switch (format) {
    case NumberFormat::kFloat16:
      return 0x1p-24f;
    case NumberFormat::kFloat8E4M3FN:
      return 0x1p-9f;
    case NumberFormat::kFloat8E5M2:
      return 0x1p-16f;
    default:
      return 0;
  }
}

float to_tf32(float number) {
  uint32_t bits = std::bit_cast<uint32_t>(number);
  if ((bits & 0x7f800000u) == 0x7f800000u) return number;
  bits += 0xfff + (bits >> 13 & 1);
  return std::bit_cast<float>(bits & ~0x1fffu);
}

// To nearest, ties to even; non-finite numbers stay.
float to_bfloat16(float number) {
  uint32_t bits = std::bit_cast<uint32_t>(number);
  if ((bits & 0x7f800000u) == 0x7f800000u) return number;
  bits += 0x7fff + (bits >> 16 & 1);
  return std::bit_cast<float>(bits & ~0xffffu);
}

template <typename Change>
void for_each(float* numbers, int64_t count, Change change) {
  parallel_for(count, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) numbers[i] = change(numbers[i], i);
  });
}

float largest_magnitude(const float* numbers, int64_t count) {
  float largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    const float magnitude = std::fabs(numbers[i]);
    if (std::isfinite(magnitude) && magnitude > largest) largest = magnitude;
  }
  return largest;
}

void round_to_int8(float* numbers, int64_t count, std::optional<uint64_t> seed) {
  const float scale = largest_magnitude(numbers, count) / 127;
  if (scale == 0) return;
  for_each(numbers, count, [&](float number, int64_t i) {
    if (!std::isfinite(number)) return number;
    const float noise = seed ? random_number(*seed, i) * 0.5f : 0;
    const float steps = std::nearbyint(number / scale + noise);
    return std::fmin(std::fmax(steps, -127.0f), 127.0f) * scale;
  });
}

// Moves each number by less than half a step, so that rounding to nearest is stochastic after it.
void disturb(float* numbers, int64_t count, NumberFormat format, uint64_t seed) {
  const float unit = std::ldexp(1.0f, 1 - significant_digits(format));
  const float least = smallest_step(format);
  // The neighbours of a float32 number are a whole step away.
  const float reach = format == NumberFormat::kFloat32 ? 1.0f : 0.499999f;
  for_each(numbers, count, [&](float number, int64_t i) {
    if (!std::isfinite(number) || number == 0) return number;
    // Below a power of two, steps are half as long.
    const bool power_of_two = (std::bit_cast<uint32_t>(number) & 0x7fffffu) == 0;
    const float step = step_at(number, unit, least);
    return number + random_number(seed, i) * reach * (power_of_two ? step / 2 : step);
  });
}

DataType type_of(NumberFormat format) {
  switch (format) {
    case NumberFormat::kFloat16:
      return DataType::kFloat16;
    case NumberFormat::kFloat8E4M3FN:
      return DataType::kFloat8E4M3FN;
    case NumberFormat::kFloat8E5M2:
      return DataType::kFloat8E5M2;
    default:
      return DataType::kFloat32;
  }
}

}  // namespace

Array round_to(const Array& values, NumberFormat format, std::optional<uint64_t> seed) {
  const auto coarse = coarser(format, values.dtype());
  if (!coarse) return values.contiguous_aligned();
  const bool exact = *coarse == NumberFormat::kFloat32 && !seed;
  if (exact) return values.contiguous_aligned();
  Array wide = convert(values.contiguous_aligned(), DataType::kFloat32);
  if (values.dtype() == DataType::kFloat32) wide = wide.clone();
  auto* numbers = reinterpret_cast<float*>(wide.mutable_data());
  if (*coarse == NumberFormat::kInt8) {
    round_to_int8(numbers, wide.size(), seed);
  } else {
    if (seed) disturb(numbers, wide.size(), *coarse, *seed);
    if (*coarse == NumberFormat::kTf32)
      for_each(numbers, wide.size(), [](float number, int64_t) { return to_tf32(number); });
    if (*coarse == NumberFormat::kBfloat16)
      for_each(numbers, wide.size(), [](float number, int64_t) { return to_bfloat16(number); });
  }
  const Array rounded = convert(convert(wide, type_of(*coarse)), DataType::kFloat32);
  return convert(rounded, values.dtype());
}

Array moved_within(const Array& values, NumberFormat format, uint64_t seed) {
  const auto coarse = coarser(format, values.dtype());
  if (!coarse) return values.contiguous_aligned();
  Array wide = convert(values.contiguous_aligned(), DataType::kFloat32);
  if (values.dtype() == DataType::kFloat32) wide = wide.clone();
  disturb(reinterpret_cast<float*>(wide.mutable_data()), wide.size(), *coarse, seed);
  return convert(wide, values.dtype());
}

}  // namespace polygraphy
