// Random numbers that follow from a seed and a place.
#pragma once

#include <cstdint>

namespace polygraphy {

// In [-1, 1), for an element: the finaliser of MurmurHash3 on its index and seed.
inline float random_number(uint64_t seed, int64_t index) {
  uint64_t bits = static_cast<uint64_t>(index) * 0x9e3779b97f4a7c15ull + seed;
  bits ^= bits >> 33;
  bits *= 0xff51afd7ed558ccdull;
  bits ^= bits >> 33;
  bits *= 0xc4ceb9fe1a85ec53ull;
  return static_cast<float>(static_cast<int32_t>(bits >> 32)) * 0x1p-31f;
}

}  // namespace polygraphy
