#include "numerics/difference_kernels.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "numerics/avx512.h"

namespace polygraphy {
namespace {

// Eight elements at a time in the compilers' vector types; the body is inlined into one function
// per instruction set.
#define PG_INLINE [[gnu::always_inline]] inline

constexpr int kLanes = 8;

template <typename T>
struct Vec;
template <>
struct Vec<float> {
  using Int = int32_t;
  typedef float V __attribute__((vector_size(sizeof(float) * kLanes)));
  typedef int32_t Mask __attribute__((vector_size(sizeof(float) * kLanes)));
};
template <>
struct Vec<double> {
  using Int = int64_t;
  typedef double V __attribute__((vector_size(sizeof(double) * kLanes)));
  typedef int64_t Mask __attribute__((vector_size(sizeof(double) * kLanes)));
};

template <typename T>
PG_INLINE void absolute(typename Vec<T>::V& v) {
  using Int = typename Vec<T>::Int;
  typename Vec<T>::Mask bits;
  std::memcpy(&bits, &v, sizeof(v));
  bits &= static_cast<Int>(~(Int{1} << (sizeof(T) * 8 - 1)));
  std::memcpy(&v, &bits, sizeof(v));
}

// The elements from `i` on, one by one.
template <typename T, bool kInfinitiesEqual>
PG_INLINE void add_rest(const T* a, const T* b, int i, int count, T* out_absolute, T* out_relative,
                        const DifferenceParameters<T>& p, DifferenceCounts& counts) {
  for (; i < count; ++i) {
    T difference = std::abs(a[i] - b[i]);
    T reference = std::abs(b[i]);
    if (kInfinitiesEqual && a[i] == b[i] && reference == std::numeric_limits<T>::infinity())
      difference = 0;
    const bool zero = reference == T{0};
    if (zero) reference = p.epsilon;
    const T relative = difference / reference;
    out_absolute[i] = difference;
    out_relative[i] = relative;
    counts.mismatches += (difference > p.atol || difference != difference) &&
                         (relative > p.rtol || relative != relative);
    counts.zeros += zero;
  }
}

template <typename T, bool kInfinitiesEqual>
PG_INLINE DifferenceCounts body(const T* a, const T* b, int count, T* out_absolute, T* out_relative,
                                const DifferenceParameters<T>& p) {
  using V = typename Vec<T>::V;
  using Mask = typename Vec<T>::Mask;
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  Mask mismatches{}, zeros{};
  int i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    V x, y;
    std::memcpy(&x, a + i, sizeof(x));
    std::memcpy(&y, b + i, sizeof(y));
    V difference = x - y;
    absolute<T>(difference);
    V reference = y;
    absolute<T>(reference);
    if constexpr (kInfinitiesEqual) {
      const Mask same = (x == y) & (reference == kInfinity);
      difference = same ? V{} : difference;
    }
    const Mask zero = reference == T{0};
    reference = zero ? p.epsilon - V{} : reference;
    const V relative = difference / reference;
    std::memcpy(out_absolute + i, &difference, sizeof(difference));
    std::memcpy(out_relative + i, &relative, sizeof(relative));
    mismatches -= ((difference > p.atol) | (difference != difference)) &
                  ((relative > p.rtol) | (relative != relative));
    zeros -= zero;
  }
  DifferenceCounts counts;
  for (int k = 0; k < kLanes; ++k) {
    counts.mismatches += mismatches[k];
    counts.zeros += zeros[k];
  }
  add_rest<T, kInfinitiesEqual>(a, b, i, count, out_absolute, out_relative, p, counts);
  return counts;
}

#define PG_KERNEL(suffix, attribute)                                                              \
  template <typename T>                                                                           \
  attribute DifferenceCounts difference_##suffix(const T* a, const T* b, int count, T* absolute,  \
                                                 T* relative, const DifferenceParameters<T>& p) { \
    return p.infinities_equal ? body<T, true>(a, b, count, absolute, relative, p)                 \
                              : body<T, false>(a, b, count, absolute, relative, p);               \
  }

PG_KERNEL(baseline, )
#if defined(__x86_64__)
PG_KERNEL(avx2, __attribute__((target("avx2"))))

// Sixteen at a time. Tolerances are numbers: "not within" is then "above or NaN" in one comparison.
template <bool kInfinitiesEqual>
PG_AVX512 DifferenceCounts body_512(const float* a, const float* b, int count, float* out_absolute,
                                    float* out_relative, const DifferenceParameters<float>& p) {
  const __m512 infinity = _mm512_set1_ps(std::numeric_limits<float>::infinity());
  const __m512 atol = _mm512_set1_ps(p.atol), rtol = _mm512_set1_ps(p.rtol);
  const __m512 epsilon = _mm512_set1_ps(p.epsilon), nothing = _mm512_setzero_ps();
  const __m512i one = _mm512_set1_epi32(1);
  __m512i mismatches = _mm512_setzero_si512(), zeros = mismatches;
  int i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m512 x = _mm512_loadu_ps(a + i), y = _mm512_loadu_ps(b + i);
    __m512 difference = _mm512_abs_ps(_mm512_sub_ps(x, y));
    __m512 reference = _mm512_abs_ps(y);
    if constexpr (kInfinitiesEqual) {
      const __mmask16 same = _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask(x, y, _CMP_EQ_OQ),
                                                     reference, infinity, _CMP_EQ_OQ);
      difference = _mm512_mask_mov_ps(difference, same, nothing);
    }
    const __mmask16 zero = _mm512_cmp_ps_mask(reference, nothing, _CMP_EQ_OQ);
    reference = _mm512_mask_mov_ps(reference, zero, epsilon);
    const __m512 relative = _mm512_div_ps(difference, reference);
    _mm512_storeu_ps(out_absolute + i, difference);
    _mm512_storeu_ps(out_relative + i, relative);
    const __mmask16 mismatch = _mm512_mask_cmp_ps_mask(
        _mm512_cmp_ps_mask(difference, atol, _CMP_NLE_UQ), relative, rtol, _CMP_NLE_UQ);
    mismatches = _mm512_mask_add_epi32(mismatches, mismatch, mismatches, one);
    zeros = _mm512_mask_add_epi32(zeros, zero, zeros, one);
  }
  DifferenceCounts counts;
  counts.mismatches = _mm512_reduce_add_epi32(mismatches);
  counts.zeros = _mm512_reduce_add_epi32(zeros);
  add_rest<float, kInfinitiesEqual>(a, b, i, count, out_absolute, out_relative, p, counts);
  return counts;
}

PG_AVX512 DifferenceCounts difference_avx512(const float* a, const float* b, int count,
                                             float* absolute, float* relative,
                                             const DifferenceParameters<float>& p) {
  if (std::isnan(p.atol) || std::isnan(p.rtol)) {
    return difference_avx2<float>(a, b, count, absolute, relative, p);
  }
  return p.infinities_equal ? body_512<true>(a, b, count, absolute, relative, p)
                            : body_512<false>(a, b, count, absolute, relative, p);
}
#endif

}  // namespace

template <typename T>
DifferenceKernel<T> difference_kernel(InstructionSet most) {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<T, float>) {
    if (most >= InstructionSet::kAvx512) return difference_avx512;
  }
  if (most >= InstructionSet::kAvx2) return difference_avx2<T>;
#endif
  static_cast<void>(most);
  return difference_baseline<T>;
}

template DifferenceKernel<float> difference_kernel<float>(InstructionSet);
template DifferenceKernel<double> difference_kernel<double>(InstructionSet);

}  // namespace polygraphy
