#include "numerics/pair_sums.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "numerics/block_reader.h"
#include "numerics/difference.h"
#include "numerics/pairwise_sum.h"
#include "numerics/simd_kernels.h"
#include "numerics/type_promotion.h"

namespace polygraphy {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kLanes = 8;
typedef float Floats __attribute__((vector_size(sizeof(float) * kLanes)));
typedef double Doubles __attribute__((vector_size(sizeof(double) * kLanes)));

// a - b in float, or a alone, as doubles.
template <bool kSubtract>
void widen(const float* a, const float* b, int64_t count, double* out) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Floats x;
    std::memcpy(&x, a + i, sizeof(x));
    if constexpr (kSubtract) {
      Floats y;
      std::memcpy(&y, b + i, sizeof(y));
      x -= y;
    }
    const Doubles wide = __builtin_convertvector(x, Doubles);
    std::memcpy(out + i, &wide, sizeof(wide));
  }
  for (; i < count; ++i) out[i] = kSubtract ? a[i] - b[i] : a[i];
}

template <typename T>
void multiply(const T* a, const T* b, int64_t count, T* out) {
  typedef T V __attribute__((vector_size(sizeof(T) * kLanes)));
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    V x, y;
    std::memcpy(&x, a + i, sizeof(x));
    std::memcpy(&y, b + i, sizeof(y));
    x *= y;
    std::memcpy(out + i, &x, sizeof(x));
  }
  for (; i < count; ++i) out[i] = a[i] * b[i];
}

// The results of the loops below: the sums of squares, and the peak.
class Accumulator {
 public:
  Accumulator(int64_t size, unsigned wanted)
      : wanted_(wanted),
        difference_(size, 0, simd_kernels<double>().leaf_squares, 0,
                    simd_kernels<double>().eight_squares),
        a_(size, 0, simd_kernels<double>().leaf_squares, 0, simd_kernels<double>().eight_squares),
        b_(size, 0, simd_kernels<double>().leaf_squares, 0, simd_kernels<double>().eight_squares) {}

  bool wants(PairSums::Want what) const { return (wanted_ & what) != 0; }
  void difference(const double* x, int64_t count) { difference_.feed(x, count); }
  void a(const double* x, int64_t count) { a_.feed(x, count); }
  void b(const double* x, int64_t count) { b_.feed(x, count); }

  template <typename T>
  void peak(const T* x, int64_t count) {
    const Extremes<T> extremes = simd_kernels<T>().extremes(x, count);
    const double largest = extremes.has_nan ? kNan : static_cast<double>(extremes.max);
    if (largest > peak_ || std::isnan(largest)) peak_ = largest;
  }

  PairSums finished(int64_t size, double product) const {
    PairSums sums;
    sums.computed = wanted_;
    sums.size = size;
    sums.squared_difference = difference_.total(0);
    sums.squares_a = a_.total(0);
    sums.squares_b = b_.total(0);
    sums.product = product;
    sums.peak = peak_;
    return sums;
  }

 private:
  unsigned wanted_;
  PairwiseSum<double, 1> difference_, a_, b_;
  double peak_ = -std::numeric_limits<double>::infinity();
};

int64_t block_at(int64_t start, int64_t size) {
  return std::min(BlockSource::kBlockElements, size - start);
}

template <typename T>
PairSums real_sums(const Array& array_a, const Array& array_b, unsigned wanted) {
  const int64_t size = array_a.size();
  Accumulator sums(size, wanted);
  PairwiseSum<T, 2> product(size, 0, simd_kernels<T>().leaf_sums, 0, simd_kernels<T>().eight_sums);
  ArraySource source_a(array_a), source_b(array_b);
  const auto room = static_cast<size_t>(std::min(size, BlockSource::kBlockElements));
  std::vector<uint64_t> as_a(room), as_b(room);
  std::vector<T> products(room);
  std::vector<double> wide(room);
  for (int64_t start = 0; start < size; start += BlockSource::kBlockElements) {
    const int64_t count = block_at(start, size);
    const T* a = read_as<T>(source_a, start, count, as_a);
    const T* b = read_as<T>(source_b, start, count, as_b);
    if constexpr (std::is_same_v<T, float>) {
      if (sums.wants(PairSums::kDifference)) {
        widen<true>(a, b, count, wide.data());
        sums.difference(wide.data(), count);
      }
      if (sums.wants(PairSums::kSquaresA)) {
        widen<false>(a, nullptr, count, wide.data());
        sums.a(wide.data(), count);
      }
      if (sums.wants(PairSums::kSquaresB)) {
        widen<false>(b, nullptr, count, wide.data());
        sums.b(wide.data(), count);
      }
    } else {
      if (sums.wants(PairSums::kDifference)) {
        for (int64_t i = 0; i < count; ++i) wide[static_cast<size_t>(i)] = a[i] - b[i];
        sums.difference(wide.data(), count);
      }
      if (sums.wants(PairSums::kSquaresA)) sums.a(a, count);
      if (sums.wants(PairSums::kSquaresB)) sums.b(b, count);
    }
    if (sums.wants(PairSums::kProduct)) {
      multiply(a, b, count, products.data());
      product.feed(products.data(), count);
    }
    if (sums.wants(PairSums::kPeak)) sums.peak(a, count);
  }
  return sums.finished(size, product.total(0));
}

// T: int64_t, uint64_t. Differences are exact, and so is the sum of products up to 64 bits.
template <typename T>
PairSums integer_sums(const Array& array_a, const Array& array_b, unsigned wanted) {
  const int64_t size = array_a.size();
  Accumulator sums(size, wanted);
  long double product = 0;
  bool same = true;
  ArraySource source_a(array_a), source_b(array_b);
  const auto room = static_cast<size_t>(std::min(size, BlockSource::kBlockElements));
  std::vector<uint64_t> as_a(room), as_b(room);
  std::vector<double> wide(room);
  for (int64_t start = 0; start < size; start += BlockSource::kBlockElements) {
    const int64_t count = block_at(start, size);
    const T* a = read_as<T>(source_a, start, count, as_a);
    const T* b = read_as<T>(source_b, start, count, as_b);
    const auto each = [&](const auto& value) {
      for (int64_t i = 0; i < count; ++i) {
        wide[static_cast<size_t>(i)] = static_cast<double>(value(i));
      }
      return wide.data();
    };
    if (sums.wants(PairSums::kDifference)) {
      sums.difference(each([&](int64_t i) { return distance(a[i], b[i]); }), count);
    }
    if (sums.wants(PairSums::kSquaresA)) sums.a(each([&](int64_t i) { return a[i]; }), count);
    if (sums.wants(PairSums::kSquaresB)) sums.b(each([&](int64_t i) { return b[i]; }), count);
    if (sums.wants(PairSums::kProduct)) {
      for (int64_t i = 0; i < count; ++i) product += static_cast<long double>(a[i]) * b[i];
      same = same && std::equal(a, a + count, b);
    }
    if (sums.wants(PairSums::kPeak)) sums.peak(a, count);
  }
  PairSums all = sums.finished(size, static_cast<double>(product));
  all.same_integers = same && sums.wants(PairSums::kProduct);
  return all;
}

PairSums complex_sums(const Array& first, const Array& second, unsigned wanted) {
  const Array array_a = first.contiguous_aligned(), array_b = second.contiguous_aligned();
  const int64_t size = array_a.size();
  Accumulator sums(size, wanted);
  double product = 0;
  for (int64_t i = 0; i < size; ++i) {
    const std::complex<double> a = complex_at(array_a, i), b = complex_at(array_b, i);
    const double magnitudes[] = {std::abs(a - b), std::abs(a), std::abs(b)};
    sums.difference(&magnitudes[0], 1);
    sums.a(&magnitudes[1], 1);
    sums.b(&magnitudes[2], 1);
    sums.peak(&magnitudes[1], 1);
    product += a.real() * b.real() + a.imag() * b.imag();
  }
  return sums.finished(size, product);
}

}  // namespace

PairSums compute_pair_sums(const Array& a, const Array& b, unsigned wanted) {
  assert(Difference::possible(a.dtype(), b.dtype()) && "strings have no sums");
  assert(a.size() == b.size());
  switch (arithmetic_of(a.dtype(), b.dtype())) {
    case Arithmetic::kBool:
    case Arithmetic::kSigned:
      return integer_sums<int64_t>(a, b, wanted);
    case Arithmetic::kUnsigned:
      return integer_sums<uint64_t>(a, b, wanted);
    case Arithmetic::kFloat:
      return real_sums<float>(a, b, wanted);
    case Arithmetic::kDouble:
      return real_sums<double>(a, b, wanted);
    case Arithmetic::kComplex:
      return complex_sums(a, b, wanted);
  }
  return {};
}

}  // namespace polygraphy
