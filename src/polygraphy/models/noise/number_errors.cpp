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

// `number`: a in all lanes that count for extremes.
PG_INLINE void add(const Doubles& a, const Doubles& b, const Doubles& number, Lanes& lanes) {
  const Doubles difference = b - a;
  const Doubles magnitude = difference < 0 ? -difference : difference;
  lanes.torn |= (difference - difference) != 0;  // NaN of infinities and NaNs
  lanes.reference2 += a * a;
  lanes.observed2 += b * b;
  lanes.product += a * b;
  lanes.difference2 += difference * difference;
  lanes.largest = magnitude > lanes.largest ? magnitude : lanes.largest;
  lanes.least = number < lanes.least ? number : lanes.least;
  lanes.most = number > lanes.most ? number : lanes.most;
  // 1 / the largest power of two that is not above |a|.
  constexpr int64_t kExponent = 0x7ff0000000000000, kInverse = 0x7fe0000000000000;
  const Bits inverse = kInverse - (reinterpret_cast<Bits>(a) & kExponent);
  const Doubles steps = a == 0 ? Doubles{} : magnitude * reinterpret_cast<Doubles>(inverse);
  lanes.ulps = steps > lanes.ulps ? steps : lanes.ulps;
}

template <typename Number>
PG_INLINE void body(const Number* reference, const Number* observed, int64_t begin, int64_t end,
                    Lanes& result) {
  using Vector [[gnu::vector_size(kLanes * sizeof(Number))]] = Number;
  Lanes lanes;
  int64_t i = begin;
  for (; i + kLanes <= end; i += kLanes) {
    Vector x, y;
    std::memcpy(&x, reference + i, sizeof x);
    std::memcpy(&y, observed + i, sizeof y);
    const Doubles a = __builtin_convertvector(x, Doubles), b = __builtin_convertvector(y, Doubles);
    add(a, b, a, lanes);
  }
  for (; i < end; ++i) {
    const double a = static_cast<double>(reference[i]), b = static_cast<double>(observed[i]);
    add(Doubles{a}, Doubles{b}, Doubles{a, a, a, a}, lanes);
  }
  result = lanes;
}

#define PG_KERNEL(suffix, attribute)                                                              \
  template <typename Number>                                                                      \
  attribute void add_all_##suffix(const Number* reference, const Number* observed, int64_t begin, \
                                  int64_t end, Lanes& lanes) {                                    \
    body(reference, observed, begin, end, lanes);                                                 \
  }

PG_KERNEL(baseline, )
#if defined(__x86_64__)
PG_KERNEL(avx2, __attribute__((target("avx2"))))
#endif

template <typename Number>
void add_all(const Number* reference, const Number* observed, int64_t begin, int64_t end,
             Lanes& lanes) {
#if defined(__x86_64__)
  if (instruction_set() >= InstructionSet::kAvx2)
    return add_all_avx2(reference, observed, begin, end, lanes);
#endif
  add_all_baseline(reference, observed, begin, end, lanes);
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
  add_all(reference, observed, begin, end, lanes);
  if ((lanes.torn[0] | lanes.torn[1] | lanes.torn[2] | lanes.torn[3]) != 0) return std::nullopt;
  NumberErrors errors{.reference2 = sum(lanes.reference2),
                      .observed2 = sum(lanes.observed2),
                      .product = sum(lanes.product),
                      .difference2 = sum(lanes.difference2),
                      .largest = greatest(lanes.largest),
                      .least_number = -greatest(-lanes.least),
                      .largest_number = greatest(lanes.most),
                      .ulps = greatest(lanes.ulps) * steps,
                      .exact = greatest(lanes.largest) == 0};
  for (int64_t i = begin; i < end && !errors.exact && errors.worst < 0; ++i) {
    const double difference = static_cast<double>(observed[i]) - static_cast<double>(reference[i]);
    if (std::fabs(difference) == errors.largest) errors.worst = i;
  }
  return errors;
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
    if (magnitude > errors.largest) {
      errors.largest = magnitude;
      errors.worst = i;
    }
    if (a != 0 && magnitude > 0)
      errors.ulps = std::max(errors.ulps, magnitude / std::ldexp(1.0, std::ilogb(a) + 1 - digits));
  }
  return errors;
}

template NumberErrors measure_numbers(const float*, const float*, int64_t, int64_t, int);
template NumberErrors measure_numbers(const double*, const double*, int64_t, int64_t, int);

}  // namespace polygraphy
