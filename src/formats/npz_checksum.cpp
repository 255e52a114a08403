#include "formats/npz_checksum.h"

#include <zlib.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace polygraphy {
namespace {

uint32_t with_zlib(uint32_t crc, std::span<const std::byte> bytes) {
  return static_cast<uint32_t>(
      crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

#if defined(__x86_64__)

#define PG_FOLDS __attribute__((target("pclmul,sse4.1")))

constexpr size_t kLane = sizeof(__m128i);
constexpr size_t kStep = 4 * kLane;

PG_FOLDS inline __m128i load(const std::byte* at) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}

// Moves what `sum` stands for to the place of `next`, and adds it there.
PG_FOLDS inline __m128i fold(__m128i sum, __m128i next, __m128i by) {
  return _mm_xor_si128(_mm_xor_si128(_mm_clmulepi64_si128(sum, by, 0x00), next),
                       _mm_clmulepi64_si128(sum, by, 0x11));
}

// Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ": the constants are
// powers of x modulo the polynomial, bits reflected. `state` is inverted, and so is the result;
// `size` is a multiple of a lane, and at least a step.
PG_FOLDS uint32_t folded(uint32_t state, const std::byte* at, size_t size) {
  const __m128i by_step = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
  const __m128i by_lane = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
  __m128i sums[4];
  for (size_t i = 0; i < 4; ++i) sums[i] = load(at + i * kLane);
  sums[0] = _mm_xor_si128(sums[0], _mm_cvtsi32_si128(static_cast<int>(state)));
  const std::byte* const end = at + size;
  at += kStep;
  for (; end - at >= static_cast<ptrdiff_t>(kStep); at += kStep) {
    for (size_t i = 0; i < 4; ++i) sums[i] = fold(sums[i], load(at + i * kLane), by_step);
  }
  __m128i sum = sums[0];
  for (size_t i = 1; i < 4; ++i) sum = fold(sum, sums[i], by_lane);
  for (; at != end; at += kLane) sum = fold(sum, load(at), by_lane);

  // 128 bits to 64, to 32, and the remainder of these by Barrett's reduction.
  const __m128i low = _mm_setr_epi32(-1, 0, -1, 0);
  sum = _mm_xor_si128(_mm_clmulepi64_si128(sum, by_lane, 0x10), _mm_srli_si128(sum, 8));
  sum = _mm_xor_si128(
      _mm_clmulepi64_si128(_mm_and_si128(sum, low), _mm_set_epi64x(0, 0x163cd6124), 0x00),
      _mm_srli_si128(sum, 4));
  const __m128i polynomial = _mm_set_epi64x(0x1f7011641, 0x1db710641);
  __m128i quotient = _mm_clmulepi64_si128(_mm_and_si128(sum, low), polynomial, 0x10);
  quotient = _mm_clmulepi64_si128(_mm_and_si128(quotient, low), polynomial, 0x00);
  return static_cast<uint32_t>(_mm_extract_epi32(_mm_xor_si128(sum, quotient), 1));
}

#endif

}  // namespace

uint32_t zip_checksum(uint32_t crc, std::span<const std::byte> bytes) {
#if defined(__x86_64__)
  static const bool folds = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
  if (folds && bytes.size() >= kStep) {
    const size_t whole = bytes.size() / kLane * kLane;
    crc = ~folded(~crc, bytes.data(), whole);
    bytes = bytes.subspan(whole);
  }
#endif
  return with_zlib(crc, bytes);
}

}  // namespace polygraphy
