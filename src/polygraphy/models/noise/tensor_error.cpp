#include "polygraphy/models/noise/tensor_error.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "base/arrays/convert.h"
#include "base/thread_pool.h"
#include "numerics/instruction_set.h"

namespace polygraphy {
namespace {

// Sums are of blocks of this size, added in order: the same for any number of threads.
constexpr int64_t kBlock = 1 << 15;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Block {
  double reference2 = 0, observed2 = 0, product = 0, difference2 = 0;
  double largest = -1;
  int64_t worst = -1;
  double least_number = kInfinity, largest_number = -kInfinity;
  int64_t non_finite_reference = 0, non_finite = 0, mismatches = 0;
  int64_t first_mismatch = -1, first_non_finite = -1;
  double ulps = 0;
  bool exact = true;
};

template <typename Number>
void add_exception(Block& block, Number reference, Number observed, int64_t at) {
  const bool here = !std::isfinite(reference), there = !std::isfinite(observed);
  block.non_finite_reference += here;
  block.non_finite += there;
  if (block.first_non_finite < 0) block.first_non_finite = at;
  const bool alike = reference == observed || (std::isnan(reference) && std::isnan(observed));
  if (alike) return;
  block.exact = false;
  ++block.mismatches;
  if (block.first_mismatch < 0) block.first_mismatch = at;
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
std::optional<Block> measure_finite(const Number* reference, const Number* observed, int64_t begin,
                                    int64_t end, double steps) {
  Lanes lanes;
  add_all(reference, observed, begin, end, lanes);
  if ((lanes.torn[0] | lanes.torn[1] | lanes.torn[2] | lanes.torn[3]) != 0) return std::nullopt;
  Block block{.reference2 = sum(lanes.reference2),
              .observed2 = sum(lanes.observed2),
              .product = sum(lanes.product),
              .difference2 = sum(lanes.difference2),
              .largest = greatest(lanes.largest),
              .least_number = -greatest(-lanes.least),
              .largest_number = greatest(lanes.most),
              .ulps = greatest(lanes.ulps) * steps,
              .exact = greatest(lanes.largest) == 0};
  for (int64_t i = begin; i < end && !block.exact && block.worst < 0; ++i) {
    const double difference = static_cast<double>(observed[i]) - static_cast<double>(reference[i]);
    if (std::fabs(difference) == block.largest) block.worst = i;
  }
  return block;
}

template <typename Number>
Block measure(const Number* reference, const Number* observed, int64_t begin, int64_t end,
              int digits) {
  if (auto block = measure_finite(reference, observed, begin, end, std::ldexp(1.0, digits - 1)))
    return *block;
  Block block;
  for (int64_t i = begin; i < end; ++i) {
    const double a = static_cast<double>(reference[i]), b = static_cast<double>(observed[i]);
    if (std::isfinite(a)) {
      block.least_number = std::min(block.least_number, a);
      block.largest_number = std::max(block.largest_number, a);
    }
    if (!std::isfinite(a) || !std::isfinite(b)) {
      add_exception(block, a, b, i);
      continue;
    }
    const double difference = b - a, magnitude = std::fabs(difference);
    block.exact &= magnitude == 0;
    block.reference2 += a * a;
    block.observed2 += b * b;
    block.product += a * b;
    block.difference2 += difference * difference;
    if (magnitude > block.largest) {
      block.largest = magnitude;
      block.worst = i;
    }
    if (a != 0 && magnitude > 0)
      block.ulps = std::max(block.ulps, magnitude / std::ldexp(1.0, std::ilogb(a) + 1 - digits));
  }
  return block;
}

template <typename Number>
TensorError measure_all(const Array& reference, const Array& observed, int digits) {
  const auto a = reference.as<Number>(), b = observed.as<Number>();
  const int64_t count = reference.size();
  std::vector<Block> blocks(static_cast<size_t>((count + kBlock - 1) / kBlock));
  parallel_for(count, kBlock, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; at += kBlock) {
      blocks[static_cast<size_t>(at / kBlock)] =
          measure(a.data(), b.data(), at, std::min(at + kBlock, end), digits);
    }
  });
  TensorError error{.elements = count, .least_number = kInfinity, .largest_number = -kInfinity};
  double largest = 0;
  for (const Block& block : blocks) {
    error.reference_norm += block.reference2;
    error.observed_norm += block.observed2;
    error.product += block.product;
    error.norm += block.difference2;
    error.exact &= block.exact;
    error.ulps = std::max(error.ulps, block.ulps);
    error.least_number = std::min(error.least_number, block.least_number);
    error.largest_number = std::max(error.largest_number, block.largest_number);
    error.non_finite_reference += block.non_finite_reference;
    error.non_finite += block.non_finite;
    error.non_finite_mismatches += block.mismatches;
    if (error.first_mismatch < 0) error.first_mismatch = block.first_mismatch;
    if (error.first_non_finite < 0) error.first_non_finite = block.first_non_finite;
    if (block.largest > largest) {
      largest = block.largest;
      error.worst = block.worst;
    }
  }
  error.reference_norm = std::sqrt(error.reference_norm);
  error.observed_norm = std::sqrt(error.observed_norm);
  error.norm = std::sqrt(error.norm);
  error.largest = largest;
  if (error.least_number > error.largest_number) error.least_number = error.largest_number = 0;
  if (error.worst >= 0) {
    error.worst_reference = static_cast<double>(a[static_cast<size_t>(error.worst)]);
    error.worst_observed = static_cast<double>(b[static_cast<size_t>(error.worst)]);
  }
  return error;
}

TensorError measure_texts(const Array& reference, const Array& observed) {
  TensorError error{.elements = reference.size()};
  const auto a = reference.strings(), b = observed.strings();
  int64_t different = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (different++ == 0) error.worst = static_cast<int64_t>(i);
  }
  error.exact = different == 0;
  error.reference_norm = error.observed_norm = std::sqrt(static_cast<double>(a.size()));
  error.norm = std::sqrt(static_cast<double>(different));
  error.product = static_cast<double>(reference.size() - different);
  error.largest = different > 0 ? 1 : 0;
  return error;
}

// Engines without 64-bit integers use the nearest 32-bit ones; the largest number, as "to the end",
// keeps its meaning.
Array in_32_bits(const Array& whole) {
  Array limited = convert(whole, DataType::kFloat64);
  if (limited.size() == 0) return limited;
  if (whole.dtype() == DataType::kFloat64) limited = limited.clone();
  auto* numbers = reinterpret_cast<double*>(limited.mutable_data());
  for (int64_t i = 0; i < limited.size(); ++i)
    numbers[i] = std::clamp(numbers[i], -2147483648.0, 2147483647.0);
  return limited;
}

std::string shape_text(const Shape& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + ")";
}

}  // namespace

double TensorError::relative() const {
  if (norm == 0) return 0;
  return reference_norm == 0 ? kInfinity : norm / reference_norm;
}

double TensorError::cosine() const {
  if (reference_norm == 0 || observed_norm == 0) return reference_norm == observed_norm ? 1 : 0;
  return std::min(1.0, product / (reference_norm * observed_norm));
}

double TensorError::snr() const {
  const double noise = relative();
  return noise == 0 ? kInfinity : -20 * std::log10(noise);
}

double TensorError::magnitude() const {
  return std::max(std::fabs(least_number), std::fabs(largest_number));
}

TensorError measure_error(const Array& reference, const Array& observed, NumberFormat format) {
  TensorError none;
  // A Loop of no iterations stacks nothing, and nothing decides the other sizes.
  const auto stacks_nothing = [](const Array& array) {
    return array.rank() > 0 && array.shape().front() == 0;
  };
  if (stacks_nothing(reference) && stacks_nothing(observed) &&
      reference.dtype() == observed.dtype())
    return none;
  if (reference.shape() != observed.shape()) {
    none.exact = false;
    none.incomparable =
        "shapes " + shape_text(reference.shape()) + " and " + shape_text(observed.shape());
    return none;
  }
  const bool text = reference.dtype() == DataType::kString;
  if (text != (observed.dtype() == DataType::kString)) {
    none.exact = false;
    none.incomparable = "types " + std::string(name_of(reference.dtype())) + " and " +
                        std::string(name_of(observed.dtype()));
    return none;
  }
  if (text) return measure_texts(reference, observed);
  const auto coarse = coarser(format, reference.dtype());
  const int digits = significant_digits(coarse.value_or(NumberFormat::kFloat32));
  if (is_integral(reference.dtype()) && is_integral(observed.dtype()) &&
      bit_width(reference.dtype()) == 64) {
    return measure_all<double>(in_32_bits(reference.contiguous_aligned()),
                               in_32_bits(observed.contiguous_aligned()), digits);
  }
  const auto wide = [](DataType type) {
    return type == DataType::kFloat64 || bit_width(type) > 32 || type == DataType::kInt32 ||
           type == DataType::kUint32;
  };
  const DataType type =
      wide(reference.dtype()) || wide(observed.dtype()) ? DataType::kFloat64 : DataType::kFloat32;
  const Array a = convert(reference.contiguous_aligned(), type).contiguous_aligned();
  const Array b = convert(observed.contiguous_aligned(), type).contiguous_aligned();
  return type == DataType::kFloat64 ? measure_all<double>(a, b, digits)
                                    : measure_all<float>(a, b, digits);
}

}  // namespace polygraphy
