#include "numerics/simd_kernels.h"

#include <cmath>
#include <cstring>
#include <type_traits>

#include "numerics/avx512.h"
#include "numerics/block_source.h"

namespace polygraphy {
namespace {

// The bodies below work on the compilers' vector types in the register width W of a target and are
// inlined into one function per target. No target has FMA: it would round differently from NumPy.
#define PG_INLINE [[gnu::always_inline]] inline

template <typename T, int W>
struct Vec {
  using Int = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  static constexpr int kLanes = W / static_cast<int>(sizeof(T));
  typedef T V __attribute__((vector_size(W)));
  typedef Int Mask __attribute__((vector_size(W)));
};

// NumPy's eight running sums.
constexpr int kSums = 8;

template <typename T>
PG_INLINE T combine(const T* r) {
  return ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
}

template <typename T, int W>
PG_INLINE void leaf_sums_body(const T* x, int count, T* out) {
  using Types = Vec<T, W>;
  using Int = typename Types::Int;
  constexpr int kParts = kSums / Types::kLanes;
  constexpr Int kNotSign = static_cast<Int>(~(Int{1} << (sizeof(T) * 8 - 1)));
  T sum = 0, abs_sum = 0;
  int i = 0;
  if (count >= kSums) {
    typename Types::V r[kParts], a[kParts], v;
    typename Types::Mask bits;
    for (int k = 0; k < kParts; ++k) {
      std::memcpy(&r[k], x + k * Types::kLanes, W);
      std::memcpy(&bits, &r[k], W);
      bits &= kNotSign;
      std::memcpy(&a[k], &bits, W);
    }
    for (i = kSums; i + kSums <= count; i += kSums) {
      for (int k = 0; k < kParts; ++k) {
        std::memcpy(&v, x + i + k * Types::kLanes, W);
        r[k] += v;
        std::memcpy(&bits, &v, W);
        bits &= kNotSign;
        std::memcpy(&v, &bits, W);
        a[k] += v;
      }
    }
    T lanes[kSums];
    std::memcpy(lanes, r, sizeof(lanes));
    sum = combine(lanes);
    std::memcpy(lanes, a, sizeof(lanes));
    abs_sum = combine(lanes);
  }
  for (; i < count; ++i) {
    sum += x[i];
    abs_sum += std::abs(x[i]);
  }
  out[0] = sum;
  out[1] = abs_sum;
}

template <typename T, int W>
PG_INLINE void leaf_squares_body(const T* x, int count, T* out, T mean) {
  using Types = Vec<T, W>;
  constexpr int kParts = kSums / Types::kLanes;
  T sum = 0;
  int i = 0;
  if (count >= kSums) {
    typename Types::V r[kParts], v;
    for (int k = 0; k < kParts; ++k) {
      std::memcpy(&v, x + k * Types::kLanes, W);
      v -= mean;
      r[k] = v * v;
    }
    for (i = kSums; i + kSums <= count; i += kSums) {
      for (int k = 0; k < kParts; ++k) {
        std::memcpy(&v, x + i + k * Types::kLanes, W);
        v -= mean;
        v *= v;
        r[k] += v;
      }
    }
    T lanes[kSums];
    std::memcpy(lanes, r, sizeof(lanes));
    sum = combine(lanes);
  }
  for (; i < count; ++i) {
    const T d = x[i] - mean;
    const T square = d * d;
    sum += square;
  }
  out[0] = sum;
}

// Eight adjacent leaves of `count` elements each, a multiple of eight: four run side by side, so
// that no addition waits for the one before.
constexpr int kSideBySide = 4;

template <typename T>
PG_INLINE T combine_leaves(const T* sums) {
  return combine(sums);  // the tree over eight leaves has the shape of that over eight sums
}

template <typename T, int W>
PG_INLINE void eight_sums_body(const T* x, int count, T* out) {
  using Types = Vec<T, W>;
  using Int = typename Types::Int;
  constexpr int kParts = kSums / Types::kLanes;
  constexpr Int kNotSign = static_cast<Int>(~(Int{1} << (sizeof(T) * 8 - 1)));
  T sums[kSums], abs_sums[kSums];
  for (int first = 0; first < kSums; first += kSideBySide) {
    const T* leaf = x + first * count;
    typename Types::V r[kSideBySide][kParts], a[kSideBySide][kParts], v;
    typename Types::Mask bits;
#pragma GCC unroll 4
    for (int j = 0; j < kSideBySide; ++j) {
      for (int k = 0; k < kParts; ++k) {
        std::memcpy(&r[j][k], leaf + j * count + k * Types::kLanes, W);
        std::memcpy(&bits, &r[j][k], W);
        bits &= kNotSign;
        std::memcpy(&a[j][k], &bits, W);
      }
    }
    for (int i = kSums; i < count; i += kSums) {
#pragma GCC unroll 4
      for (int j = 0; j < kSideBySide; ++j) {
        for (int k = 0; k < kParts; ++k) {
          std::memcpy(&v, leaf + j * count + i + k * Types::kLanes, W);
          r[j][k] += v;
          std::memcpy(&bits, &v, W);
          bits &= kNotSign;
          std::memcpy(&v, &bits, W);
          a[j][k] += v;
        }
      }
    }
    T lanes[kSums];
    for (int j = 0; j < kSideBySide; ++j) {
      std::memcpy(lanes, r[j], sizeof(lanes));
      sums[first + j] = combine(lanes);
      std::memcpy(lanes, a[j], sizeof(lanes));
      abs_sums[first + j] = combine(lanes);
    }
  }
  out[0] = combine_leaves(sums);
  out[1] = combine_leaves(abs_sums);
}

template <typename T, int W>
PG_INLINE void eight_squares_body(const T* x, int count, T* out, T mean) {
  using Types = Vec<T, W>;
  constexpr int kParts = kSums / Types::kLanes;
  T sums[kSums];
  for (int first = 0; first < kSums; first += kSideBySide) {
    const T* leaf = x + first * count;
    typename Types::V r[kSideBySide][kParts], v;
#pragma GCC unroll 4
    for (int j = 0; j < kSideBySide; ++j) {
      for (int k = 0; k < kParts; ++k) {
        std::memcpy(&v, leaf + j * count + k * Types::kLanes, W);
        v -= mean;
        r[j][k] = v * v;
      }
    }
    for (int i = kSums; i < count; i += kSums) {
#pragma GCC unroll 4
      for (int j = 0; j < kSideBySide; ++j) {
        for (int k = 0; k < kParts; ++k) {
          std::memcpy(&v, leaf + j * count + i + k * Types::kLanes, W);
          v -= mean;
          v *= v;
          r[j][k] += v;
        }
      }
    }
    T lanes[kSums];
    for (int j = 0; j < kSideBySide; ++j) {
      std::memcpy(lanes, r[j], sizeof(lanes));
      sums[first + j] = combine(lanes);
    }
  }
  out[0] = combine_leaves(sums);
}

template <typename T, int W>
PG_INLINE Extremes<T> extremes_body(const T* x, int64_t count) {
  using Types = Vec<T, W>;
  T lowest = x[0], highest = x[0];
  bool nan = false;
  int64_t i = 0;
  if (count >= Types::kLanes) {
    typename Types::V lo, hi, v;
    std::memcpy(&lo, x, W);
    hi = lo;
    typename Types::Mask nans = lo != lo;
    for (i = Types::kLanes; i + Types::kLanes <= count; i += Types::kLanes) {
      std::memcpy(&v, x + i, W);
      lo = v < lo ? v : lo;
      hi = v > hi ? v : hi;
      nans |= v != v;
    }
    for (int k = 0; k < Types::kLanes; ++k) {
      lowest = lo[k] < lowest ? lo[k] : lowest;
      highest = hi[k] > highest ? hi[k] : highest;
      nan |= nans[k] != 0;
    }
  }
  for (; i < count; ++i) {
    lowest = x[i] < lowest ? x[i] : lowest;
    highest = x[i] > highest ? x[i] : highest;
    nan |= x[i] != x[i];
  }
  return {lowest, highest, nan};
}

enum class Marks { kNone, kSet, kFlip };

// Counts x >= t for four thresholds, and sets or flips the inside marks (0 or -1) at each. Counted
// is what lies below, as that is one comparison for integers too.
template <typename T, int W, Marks kMarks>
PG_INLINE void classify_four(const T* x, int count, const T* t, int64_t* above,
                             typename Vec<T, W>::Int* inside) {
  using Types = Vec<T, W>;
  using Mask = typename Types::Mask;
  using Int = typename Types::Int;
  constexpr bool kInteger = std::is_integral_v<T>;
  typename Types::V v;
  Mask c0{}, c1{}, c2{}, c3{};
  int i = 0;
  for (; i + Types::kLanes <= count; i += Types::kLanes) {
    std::memcpy(&v, x + i, W);
    // Integers: x < t, of which an even number flips as x >= t does.
    const Mask m0 = kInteger ? v < t[0] : v >= t[0];
    const Mask m1 = kInteger ? v < t[1] : v >= t[1];
    const Mask m2 = kInteger ? v < t[2] : v >= t[2];
    const Mask m3 = kInteger ? v < t[3] : v >= t[3];
    c0 -= m0;
    c1 -= m1;
    c2 -= m2;
    c3 -= m3;
    if constexpr (kMarks != Marks::kNone) {
      Mask flip = (m0 ^ m1) ^ (m2 ^ m3);
      if constexpr (kMarks == Marks::kFlip) {
        Mask before;
        std::memcpy(&before, inside + i, W);
        flip ^= before;
      }
      std::memcpy(inside + i, &flip, W);
    }
  }
  Int counts[4][Types::kLanes];
  std::memcpy(counts[0], &c0, W);
  std::memcpy(counts[1], &c1, W);
  std::memcpy(counts[2], &c2, W);
  std::memcpy(counts[3], &c3, W);
  for (int k = 0; k < 4; ++k) {
    int64_t sum = 0;
    for (int lane = 0; lane < Types::kLanes; ++lane) sum += counts[k][lane];
    above[k] += kInteger ? i - sum : sum;
  }
  for (; i < count; ++i) {
    bool flip = false;
    for (int k = 0; k < 4; ++k) {
      const bool is_above = x[i] >= t[k];
      above[k] += is_above;
      flip ^= is_above;
    }
    if constexpr (kMarks != Marks::kNone) {
      const Int mark = flip ? -1 : 0;
      inside[i] = kMarks == Marks::kSet ? mark : static_cast<Int>(inside[i] ^ mark);
    }
  }
}

template <typename T, int W>
PG_INLINE int64_t classify_body(const T* x, int64_t count, Thresholds<T>& t, T* out) {
  using Int = typename Vec<T, W>::Int;
  constexpr int kPart = 4096 / static_cast<int>(sizeof(T));  // stays in the first-level cache
  constexpr int kGroup = 8;
  alignas(64) Int inside[kPart];
  T* end = out;
  for (int64_t start = 0; start < count; start += kPart) {
    const T* part = x + start;
    const int n = static_cast<int>(count - start < kPart ? count - start : kPart);
    for (size_t k = 0; k < t.values.size(); k += 4) {
      const T* four = t.values.data() + k;
      int64_t* above = t.at_or_above.data() + k;
      if (k >= t.collecting) {
        classify_four<T, W, Marks::kNone>(part, n, four, above, inside);
      } else if (k == 0) {
        classify_four<T, W, Marks::kSet>(part, n, four, above, inside);
      } else {
        classify_four<T, W, Marks::kFlip>(part, n, four, above, inside);
      }
    }
    if (t.collecting == 0) continue;
    int i = 0;
    for (; i + kGroup <= n; i += kGroup) {
      uint64_t words[kGroup * sizeof(Int) / 8], any = 0;
      std::memcpy(words, inside + i, sizeof(words));
      for (uint64_t w : words) any |= w;
      if (any == 0) continue;
      for (int k = 0; k < kGroup; ++k) {
        *end = part[i + k];
        end -= inside[i + k];
      }
    }
    for (; i < n; ++i) {
      if (inside[i] != 0) *end++ = part[i];
    }
  }
  return end - out;
}

// Without branches that depend on elements: half of those would be mispredicted.
template <typename T, Side kSide>
PG_INLINE int64_t partition_body(T* x, int64_t count, T pivot) {
  T* middle = x;
  for (T* p = x; p != x + count; ++p) {
    const T value = *p;
    *p = *middle;
    *middle = value;
    middle += kSide == Side::kBelow ? value < pivot : !(pivot < value);
  }
  return middle - x;
}

// All counters and the elements stay in registers; the edges are read where they lie. The number of
// elements is small enough for counters as wide as the elements.
template <typename T, int W>
PG_INLINE void count_edges_part(const T* x, int count, const T* edges, int64_t* at_or_above) {
  using Types = Vec<T, W>;
  using Mask = typename Types::Mask;
  using Int = typename Types::Int;
  typename Types::V t[kInnerEdges], v;
  Mask counters[kInnerEdges] = {};
  for (int k = 0; k < kInnerEdges; ++k) t[k] = edges[k] - typename Types::V{};
  int i = 0;
  for (; i + Types::kLanes <= count; i += Types::kLanes) {
    std::memcpy(&v, x + i, W);
#pragma GCC unroll 9
    for (int k = 0; k < kInnerEdges; ++k) counters[k] -= v >= t[k];
  }
  for (int k = 0; k < kInnerEdges; ++k) {
    Int lanes[Types::kLanes];
    std::memcpy(lanes, &counters[k], W);
    for (int lane = 0; lane < Types::kLanes; ++lane) at_or_above[k] += lanes[lane];
    for (int j = i; j < count; ++j) at_or_above[k] += x[j] >= edges[k];
  }
}

template <typename T, int W>
PG_INLINE void count_edges_body(const T* x, int64_t count, const T* edges, int64_t* at_or_above) {
  constexpr int64_t kPart = 1 << 20;
  for (int64_t start = 0; start < count; start += kPart) {
    const int n = static_cast<int>(count - start < kPart ? count - start : kPart);
    count_edges_part<T, W>(x + start, n, edges, at_or_above);
  }
}

#define PG_KERNELS(name, width, attribute)                                                        \
  template <typename T>                                                                           \
  attribute void leaf_sums_##name(const T* x, int count, T* out, T) {                             \
    if constexpr (std::is_floating_point_v<T>) leaf_sums_body<T, width>(x, count, out);           \
  }                                                                                               \
  template <typename T>                                                                           \
  attribute void leaf_squares_##name(const T* x, int count, T* out, T mean) {                     \
    if constexpr (std::is_floating_point_v<T>) leaf_squares_body<T, width>(x, count, out, mean);  \
  }                                                                                               \
  template <typename T>                                                                           \
  attribute void eight_sums_##name(const T* x, int count, T* out, T) {                            \
    if constexpr (std::is_floating_point_v<T>) eight_sums_body<T, width>(x, count, out);          \
  }                                                                                               \
  template <typename T>                                                                           \
  attribute void eight_squares_##name(const T* x, int count, T* out, T mean) {                    \
    if constexpr (std::is_floating_point_v<T>) {                                                  \
      eight_squares_body<T, width>(x, count, out, mean);                                          \
    }                                                                                             \
  }                                                                                               \
  template <typename T>                                                                           \
  attribute Extremes<T> extremes_##name(const T* x, int64_t count) {                              \
    return extremes_body<T, width>(x, count);                                                     \
  }                                                                                               \
  template <typename T>                                                                           \
  attribute int64_t classify_##name(const T* x, int64_t count, Thresholds<T>& t, T* out) {        \
    return classify_body<T, width>(x, count, t, out);                                             \
  }                                                                                               \
  template <typename T>                                                                           \
  attribute int64_t partition_##name(T* x, int64_t count, T pivot, Side side, T*) {               \
    return side == Side::kBelow ? partition_body<T, Side::kBelow>(x, count, pivot)                \
                                : partition_body<T, Side::kNotAbove>(x, count, pivot);            \
  }                                                                                               \
  template <typename T>                                                                           \
  attribute void count_edges_##name(const T* x, int64_t count, const T* edges, int64_t* above) {  \
    count_edges_body<T, width>(x, count, edges, above);                                           \
  }                                                                                               \
  template <typename T>                                                                           \
  constexpr SimdKernels<T> kernels_##name = {                                                     \
      leaf_sums_##name<T>, leaf_squares_##name<T>, eight_sums_##name<T>, eight_squares_##name<T>, \
      extremes_##name<T>,  classify_##name<T>,     partition_##name<T>,  count_edges_##name<T>};

PG_KERNELS(baseline, 16, )
#if defined(__x86_64__)
PG_KERNELS(avx2, 32, __attribute__((target("avx2"))))

// Of floats, what takes most of the time gains from comparing into masks and from compressing by
// them.
// Elements of arrays come in blocks that do not fit the first-level cache: while one is worked on,
// the next is fetched, so that memory and processor are both busy. Nothing may be there: no matter.
PG_INLINE void prefetch_next_block(const float* x) {
  __builtin_prefetch(x + BlockSource::kBlockElements, 0, 2);
}

// The first kCollecting of kAll thresholds are ends of intervals.
template <int kCollecting, int kAll>
PG_AVX512 int64_t classify_512(const float* x, int64_t count, Thresholds<float>& t, float* out) {
  __m512 thresholds[kAll];
  __m512i counters[kAll];
  for (int k = 0; k < kAll; ++k) {
    thresholds[k] = _mm512_set1_ps(t.values[static_cast<size_t>(k)]);
    counters[k] = _mm512_setzero_si512();
  }
  const __m512i one = _mm512_set1_epi32(1);
  float* end = out;
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m512 v = _mm512_loadu_ps(x + i);
    prefetch_next_block(x + i);
    unsigned inside = 0;
#pragma GCC unroll 16
    for (int k = 0; k < kAll; ++k) {
      const __mmask16 above = _mm512_cmp_ps_mask(v, thresholds[k], _CMP_GE_OQ);
      counters[k] = _mm512_mask_add_epi32(counters[k], above, counters[k], one);
      if (k < kCollecting) inside ^= above;
    }
    if constexpr (kCollecting > 0) {
      // No branch: a third of the vectors hold something. No further than this vector reaches:
      // elements were collected from before it only.
      _mm512_storeu_ps(end, _mm512_maskz_compress_ps(static_cast<__mmask16>(inside), v));
      end += __builtin_popcount(inside);
    }
  }
  for (int k = 0; k < kAll; ++k) {
    const float threshold = t.values[static_cast<size_t>(k)];
    int64_t above = static_cast<uint32_t>(_mm512_reduce_add_epi32(counters[k]));
    for (int64_t j = i; j < count; ++j) above += x[j] >= threshold;
    t.at_or_above[static_cast<size_t>(k)] += above;
  }
  for (; i < count; ++i) {
    bool inside = false;
    for (int k = 0; k < kCollecting; ++k) inside ^= x[i] >= t.values[static_cast<size_t>(k)];
    if (inside) *end++ = x[i];
  }
  return end - out;
}

int64_t classify_avx512(const float* x, int64_t count, Thresholds<float>& t, float* out) {
  constexpr int64_t kMost = int64_t{1} << 31;  // of a counter
  if (count >= kMost) return classify_avx2<float>(x, count, t, out);
  switch (t.collecting * 100 + t.values.size()) {
    case 4:
      return classify_512<0, 4>(x, count, t, out);
    case 8:
      return classify_512<0, 8>(x, count, t, out);
    case 12:
      return classify_512<0, 12>(x, count, t, out);
    case 404:
      return classify_512<4, 4>(x, count, t, out);
    case 408:
      return classify_512<4, 8>(x, count, t, out);
    case 412:
      return classify_512<4, 12>(x, count, t, out);
    case 808:
      return classify_512<8, 8>(x, count, t, out);
    case 812:
      return classify_512<8, 12>(x, count, t, out);
    case 816:
      return classify_512<8, 16>(x, count, t, out);
    default:
      return classify_avx2<float>(x, count, t, out);
  }
}

PG_AVX512 Extremes<float> extremes_avx512(const float* x, int64_t count) {
  constexpr int kVectors = 4, kStep = kVectors * 16;
  if (count < kStep) return extremes_avx2<float>(x, count);
  __m512 lo[kVectors], hi[kVectors];
  for (int k = 0; k < kVectors; ++k) lo[k] = hi[k] = _mm512_loadu_ps(x + k * 16);
  __mmask16 nans = static_cast<__mmask16>(_mm512_cmp_ps_mask(lo[0], lo[1], _CMP_UNORD_Q) |
                                          _mm512_cmp_ps_mask(lo[2], lo[3], _CMP_UNORD_Q));
  int64_t i = kStep;
  for (; i + kStep <= count; i += kStep) {
    __m512 v[kVectors];
#pragma GCC unroll 4
    for (int k = 0; k < kVectors; ++k) {
      v[k] = _mm512_loadu_ps(x + i + k * 16);
      prefetch_next_block(x + i + k * 16);
      lo[k] = _mm512_min_ps(v[k], lo[k]);
      hi[k] = _mm512_max_ps(v[k], hi[k]);
    }
    nans = static_cast<__mmask16>(nans | _mm512_cmp_ps_mask(v[0], v[1], _CMP_UNORD_Q) |
                                  _mm512_cmp_ps_mask(v[2], v[3], _CMP_UNORD_Q));
  }
  const __m512 least = _mm512_min_ps(_mm512_min_ps(lo[0], lo[1]), _mm512_min_ps(lo[2], lo[3]));
  const __m512 most = _mm512_max_ps(_mm512_max_ps(hi[0], hi[1]), _mm512_max_ps(hi[2], hi[3]));
  Extremes<float> e{_mm512_reduce_min_ps(least), _mm512_reduce_max_ps(most), nans != 0};
  for (; i < count; ++i) {
    e.min = x[i] < e.min ? x[i] : e.min;
    e.max = x[i] > e.max ? x[i] : e.max;
    e.has_nan |= x[i] != x[i];
  }
  return e;
}

template <int kCompare>
PG_AVX512 int64_t partition_512(float* x, int64_t count, float pivot, float* others) {
  const __m512 pivots = _mm512_set1_ps(pivot);
  float *middle = x, *other = others;
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m512 v = _mm512_loadu_ps(x + i);
    const __mmask16 first = _mm512_cmp_ps_mask(v, pivots, kCompare);
    _mm512_storeu_ps(middle, _mm512_maskz_compress_ps(first, v));
    const int taken = __builtin_popcount(first);
    middle += taken;
    _mm512_storeu_ps(other, _mm512_maskz_compress_ps(static_cast<__mmask16>(~first), v));
    other += 16 - taken;
  }
  for (; i < count; ++i) {
    const float value = x[i];
    const bool first = kCompare == _CMP_LT_OQ ? value < pivot : value <= pivot;
    *other = value;
    *middle = first ? value : *middle;
    middle += first;
    other += !first;
  }
  std::memcpy(middle, others, static_cast<size_t>(other - others) * sizeof(float));
  return middle - x;
}

int64_t partition_avx512(float* x, int64_t count, float pivot, Side side, float* scratch) {
  return side == Side::kBelow ? partition_512<_CMP_LT_OQ>(x, count, pivot, scratch)
                              : partition_512<_CMP_LE_OQ>(x, count, pivot, scratch);
}

constexpr SimdKernels<float> kernels_avx512 = {leaf_sums_avx2<float>,  leaf_squares_avx2<float>,
                                               eight_sums_avx2<float>, eight_squares_avx2<float>,
                                               extremes_avx512,        classify_avx512,
                                               partition_avx512,       count_edges_avx2<float>};
#endif

}  // namespace

template <typename T>
const SimdKernels<T>& simd_kernels(InstructionSet most) {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<T, float>) {
    if (most >= InstructionSet::kAvx512) return kernels_avx512;
  }
  if (most >= InstructionSet::kAvx2) return kernels_avx2<T>;
#endif
  static_cast<void>(most);
  return kernels_baseline<T>;
}

template const SimdKernels<float>& simd_kernels<float>(InstructionSet);
template const SimdKernels<double>& simd_kernels<double>(InstructionSet);
template const SimdKernels<int64_t>& simd_kernels<int64_t>(InstructionSet);
template const SimdKernels<uint64_t>& simd_kernels<uint64_t>(InstructionSet);

}  // namespace polygraphy
