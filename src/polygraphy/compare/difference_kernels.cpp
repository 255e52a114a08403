#include "polygraphy/compare/difference_kernels.h"

#include <cmath>
#include <cstring>
#include <limits>

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
  for (; i < count; ++i) {
    T difference = std::abs(a[i] - b[i]);
    T reference = std::abs(b[i]);
    if (kInfinitiesEqual && a[i] == b[i] && reference == kInfinity) difference = 0;
    const bool zero = reference == T{0};
    if (zero) reference = p.epsilon;
    const T relative = difference / reference;
    out_absolute[i] = difference;
    out_relative[i] = relative;
    counts.mismatches += (difference > p.atol || difference != difference) &&
                         (relative > p.rtol || relative != relative);
    counts.zeros += zero;
  }
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
#endif

}  // namespace

template <typename T>
DifferenceKernel<T> difference_kernel() {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) return difference_avx2<T>;
#endif
  return difference_baseline<T>;
}

template DifferenceKernel<float> difference_kernel<float>();
template DifferenceKernel<double> difference_kernel<double>();

}  // namespace polygraphy
