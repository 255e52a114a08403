#include "polygraphy/models/noise/tensor_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/arrays/convert.h"
#include "base/thread_pool.h"
#include "polygraphy/models/noise/number_errors.h"

namespace polygraphy {
namespace {

// Sums are of blocks of this size, added in order: the same for any number of threads.
constexpr int64_t kBlock = 1 << 15;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename Number>
TensorError measure_all(const Array& reference, const Array& observed, int digits) {
  const auto a = reference.as<Number>(), b = observed.as<Number>();
  const int64_t count = reference.size();
  std::vector<NumberErrors> blocks(static_cast<size_t>((count + kBlock - 1) / kBlock));
  parallel_for(count, kBlock, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; at += kBlock) {
      blocks[static_cast<size_t>(at / kBlock)] =
          measure_numbers(a.data(), b.data(), at, std::min(at + kBlock, end), digits);
    }
  });
  TensorError error{.elements = count, .least_number = kInfinity, .largest_number = -kInfinity};
  int64_t worst = 0;  // in this block, or behind it
  for (size_t i = 0; i < blocks.size(); ++i) {
    const NumberErrors& block = blocks[i];
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
    if (block.largest > error.largest) {
      error.largest = block.largest;
      worst = static_cast<int64_t>(i) * kBlock;
    }
  }
  error.reference_norm = std::sqrt(error.reference_norm);
  error.observed_norm = std::sqrt(error.observed_norm);
  error.norm = std::sqrt(error.norm);
  if (error.least_number > error.largest_number) error.least_number = error.largest_number = 0;
  for (; error.largest > 0 && error.worst < 0 && worst < count; ++worst) {
    const auto x = static_cast<double>(a[static_cast<size_t>(worst)]),
               y = static_cast<double>(b[static_cast<size_t>(worst)]);
    if (!std::isfinite(x) || !std::isfinite(y) || std::fabs(y - x) != error.largest) continue;
    error.worst = worst;
    error.worst_reference = x;
    error.worst_observed = y;
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
