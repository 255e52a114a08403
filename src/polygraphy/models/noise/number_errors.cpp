#include "polygraphy/models/noise/number_errors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "numerics/instruction_set.h"

namespace polygraphy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename Number>
void add_exception(NumberErrors& errors, Number reference, Number observed, int64_t at) {
  const bool here = !std::isfinite(reference), there = !std::isfinite(observed);
  errors.non_finite_reference += here;
  errors.non_finite += there;
  if (errors.first_non_finite < 0) errors.first_non_finite = at;
  const bool alike = reference == observed || (std::isnan(reference) && std::isnan(observed));
  if (alike) return;
  errors.exact = false;
  ++errors.mismatches;
  if (errors.first_mismatch < 0) errors.first_mismatch = at;
}

// Four numbers at a time in the compilers' vector types; the body is inlined into one function per
// instruction set. The sums are the same in all.
#define PG_INLINE [[gnu::always_inline]] inline

constexpr int64_t kLanes = 4;
using Doubles [[gnu::vector_size(kLanes * sizeof(double))]] = double;
using Bits [[gnu::vector_size(kLanes * sizeof(int64_t))]] = int64_t;

struct Lanes {
  Doubles reference2{}, observed2{}, product{}, difference2{}, largest{}, ulps{};
  Doubles most = Doubles{} - kInfinity, least = Doubles{} + kInfinity;
  Bits torn{};
};

// `number`: a in all lanes that count for extremes. `kEqual`: both are the same bytes.
template <bool kEqual>
PG_INLINE void add(const Doubles& a, const Doubles& b, const Doubles& number, Lanes& lanes) {
  const Doubles difference = (kEqual ? a : b) - a;
  lanes.torn |= (difference - difference) != 0;  // NaN of infinities and NaNs
  lanes.reference2 += a * a;
  lanes.least = number < lanes.least ? number : lanes.least;
  lanes.most = number > lanes.most ? number : lanes.most;
  if constexpr (kEqual) return;
  constexpr int64_t kMagnitude = 0x7fffffffffffffff;
  const auto magnitude = reinterpret_cast<Doubles>(reinterpret_cast<Bits>(difference) & kMagnitude);
  lanes.observed2 += b * b;
  lanes.product += a * b;
  lanes.difference2 += difference * difference;
  lanes.largest = magnitude > lanes.largest ? magnitude : lanes.largest;
  // 1 / the largest power of two that is not above |a|.
  constexpr int64_t kExponent = 0x7ff0000000000000, kInverse = 0x7fe0000000000000;
  const Bits inverse = kInverse - (reinterpret_cast<Bits>(a) & kExponent);
  const Doubles steps = a == 0 ? Doubles{} : magnitude * reinterpret_cast<Doubles>(inverse);
  lanes.ulps = steps > lanes.ulps ? steps : lanes.ulps;
}

// GCC converts a vector in halves, by way of memory.
template <typename Number>
PG_INLINE void widen(const Number* numbers, Doubles& wide) {
  wide = Doubles{static_cast<double>(numbers[0]), static_cast<double>(numbers[1]),
                 static_cast<double>(numbers[2]), static_cast<double>(numbers[3])};
}

template <bool kEqual, typename Number>
PG_INLINE void body(const Number* reference, const Number* observed, int64_t begin, int64_t end,
                    Lanes& result) {
  Lanes lanes;
  int64_t i = begin;
  for (; i + kLanes <= end; i += kLanes) {
    Doubles a, b;
    widen(reference + i, a);
    widen(observed + i, b);
    add<kEqual>(a, b, a, lanes);
  }
  for (; i < end; ++i) {
    const double a = static_cast<double>(reference[i]), b = static_cast<double>(observed[i]);
    add<kEqual>(Doubles{a}, Doubles{b}, Doubles{a, a, a, a}, lanes);
  }
  if constexpr (kEqual) lanes.observed2 = lanes.product = lanes.reference2;
  result = lanes;
}

#define PG_KERNEL(suffix, attribute)                                                              \
  template <bool kEqual, typename Number>                                                         \
  attribute void add_all_##suffix(const Number* reference, const Number* observed, int64_t begin, \
                                  int64_t end, Lanes& lanes) {                                    \
    body<kEqual>(reference, observed, begin, end, lanes);                                         \
  }

PG_KERNEL(baseline, )
#if defined(__x86_64__)
PG_KERNEL(avx2, __attribute__((target("avx2"))))
#endif

template <bool kEqual, typename Number>
void add_all(const Number* reference, const Number* observed, int64_t begin, int64_t end,
             Lanes& lanes) {
#if defined(__x86_64__)
  if (instruction_set() >= InstructionSet::kAvx2)
    return add_all_avx2<kEqual>(reference, observed, begin, end, lanes);
#endif
  add_all_baseline<kEqual>(reference, observed, begin, end, lanes);
}

PG_INLINE double sum(const Doubles& lanes) {
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

PG_INLINE double greatest(const Doubles& lanes) {
  return std::max(std::max(lanes[0], lanes[1]), std::max(lanes[2], lanes[3]));
}

// Of numbers that are all finite; nullopt: some are not. `steps`: of a format per 1.
template <typename Number>
std::optional<NumberErrors> measure_finite(const Number* reference, const Number* observed,
                                           int64_t begin, int64_t end, double steps) {
  Lanes lanes;
  const auto bytes = static_cast<size_t>(end - begin) * sizeof(Number);
  const bool equal =
      reference == observed || std::memcmp(reference + begin, observed + begin, bytes) == 0;
  (equal ? add_all<true, Number> : add_all<false, Number>)(reference, observed, begin, end, lanes);
  if ((lanes.torn[0] | lanes.torn[1] | lanes.torn[2] | lanes.torn[3]) != 0) return std::nullopt;
  return NumberErrors{.reference2 = sum(lanes.reference2),
                      .observed2 = sum(lanes.observed2),
                      .product = sum(lanes.product),
                      .difference2 = sum(lanes.difference2),
                      .largest = greatest(lanes.largest),
                      .least_number = -greatest(-lanes.least),
                      .largest_number = greatest(lanes.most),
                      .ulps = greatest(lanes.ulps) * steps,
                      .exact = greatest(lanes.largest) == 0};
}

}  // namespace

template <typename Number>
NumberErrors measure_numbers(const Number* reference, const Number* observed, int64_t begin,
                             int64_t end, int digits) {
  if (auto errors = measure_finite(reference, observed, begin, end, std::ldexp(1.0, digits - 1)))
    return *errors;
  NumberErrors errors;
  for (int64_t i = begin; i < end; ++i) {
    const double a = static_cast<double>(reference[i]), b = static_cast<double>(observed[i]);
    if (std::isfinite(a)) {
      errors.least_number = std::min(errors.least_number, a);
      errors.largest_number = std::max(errors.largest_number, a);
    }
    if (!std::isfinite(a) || !std::isfinite(b)) {
      add_exception(errors, a, b, i);
      continue;
    }
    const double difference = b - a, magnitude = std::fabs(difference);
    errors.exact &= magnitude == 0;
    errors.reference2 += a * a;
    errors.observed2 += b * b;
    errors.product += a * b;
    errors.difference2 += difference * difference;
    errors.largest = std::max(errors.largest, magnitude);
    if (a != 0 && magnitude > 0)
      errors.ulps = std::max(errors.ulps, magnitude / std::ldexp(1.0, std::ilogb(a) + 1 - digits));
  }
  return errors;
}

template <typename Number>
void raise_to_differences(const Number* a, const Number* b, int64_t count, float* largest,
                          bool first) {
  using Numbers [[gnu::vector_size(kLanes * sizeof(Number))]] = Number;
  using Floats [[gnu::vector_size(kLanes * sizeof(float))]] = float;
  const auto raise = [&](int64_t at, size_t lanes) {
    Numbers x{}, y{};
    Floats most{};
    std::memcpy(&x, a + at, lanes * sizeof(Number));
    std::memcpy(&y, b + at, lanes * sizeof(Number));
    if (!first) std::memcpy(&most, largest + at, lanes * sizeof(float));
    const Numbers difference = x - y, magnitude = difference < 0 ? -difference : difference;
    const Numbers finite = ((x - x == 0) & (y - y == 0)) ? magnitude : Numbers{};
    const Floats here = __builtin_convertvector(finite, Floats);
    most = here > most ? here : most;
    std::memcpy(largest + at, &most, lanes * sizeof(float));
  };
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) raise(i, kLanes);
  raise(i, static_cast<size_t>(count - i));
}

template void raise_to_differences(const float*, const float*, int64_t, float*, bool);
template void raise_to_differences(const double*, const double*, int64_t, float*, bool);
template NumberErrors measure_numbers(const float*, const float*, int64_t, int64_t, int);
template NumberErrors measure_numbers(const double*, const double*, int64_t, int64_t, int);

}  // namespace polygraphy
