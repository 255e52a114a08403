#include "numerics/numpy_random.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace polygraphy {
namespace {

// Smallest 2^k - 1 that is not below `range`.
template <typename T>
T mask_for(T range) {
  constexpr T kAllOnes = static_cast<T>(-1);
  return static_cast<T>(kAllOnes >> std::countl_zero(range));
}

// Elements narrower than a draw: taken from its low end upwards.
template <typename T>
void fill_narrow(NumpyRandom& random, std::span<T> out, T low, T range) {
  if (range == 0) {
    std::fill(out.begin(), out.end(), low);
    return;
  }
  const T mask = mask_for(range);
  uint32_t draw = 0;
  int left = 0;
  for (T& element : out) {
    T value;
    do {
      if (left == 0) {
        draw = random.next_uint32();
        left = 4 / static_cast<int>(sizeof(T));
      }
      value = static_cast<T>(draw) & mask;
      draw >>= sizeof(T) * 8;
      --left;
    } while (value > range);
    element = static_cast<T>(low + value);
  }
}

}  // namespace

// Source: Matsumoto and Nishimura, "Mersenne Twister", 1998, with the initialisation of 2002.
NumpyRandom::NumpyRandom(uint32_t seed) {
  state_[0] = seed;
  for (uint32_t i = 1; i < kWords; ++i) {
    state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
  }
}

void NumpyRandom::refill() {
  constexpr int kMiddle = 397;
  constexpr uint32_t kUpper = 0x80000000u, kLower = 0x7fffffffu, kMatrix = 0x9908b0dfu;
  const auto mix = [](uint32_t here, uint32_t next, uint32_t far) {
    const uint32_t word = (here & kUpper) | (next & kLower);
    return far ^ (word >> 1) ^ ((word & 1) != 0 ? kMatrix : 0);
  };
  int i = 0;
  for (; i < kWords - kMiddle; ++i) state_[i] = mix(state_[i], state_[i + 1], state_[i + kMiddle]);
  for (; i < kWords - 1; ++i) {
    state_[i] = mix(state_[i], state_[i + 1], state_[i + kMiddle - kWords]);
  }
  state_[i] = mix(state_[i], state_[0], state_[kMiddle - 1]);
  next_ = 0;
}

uint32_t NumpyRandom::next_uint32() {
  if (next_ == kWords) refill();
  uint32_t y = state_[next_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

double NumpyRandom::next_uniform() {
  const uint32_t a = next_uint32() >> 5, b = next_uint32() >> 6;
  return (a * 67108864.0 + b) / 9007199254740992.0;
}

void NumpyRandom::fill_uniform(std::span<double> out) {
  for (double& element : out) element = next_uniform();
}

void NumpyRandom::fill_normal(std::span<double> out) {
  for (double& element : out) {
    if (second_normal_) {
      element = *second_normal_;
      second_normal_.reset();
      continue;
    }
    double x, y, square;
    do {
      x = 2.0 * next_uniform() - 1.0;
      y = 2.0 * next_uniform() - 1.0;
      square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    const double scale = std::sqrt(-2.0 * std::log(square) / square);
    second_normal_ = scale * x;
    element = scale * y;
  }
}

void NumpyRandom::fill_bool(std::span<uint8_t> out, uint8_t low, uint8_t range) {
  if (range == 0) {
    std::fill(out.begin(), out.end(), low);
    return;
  }
  uint32_t draw = 0;
  int left = 0;
  for (uint8_t& element : out) {
    if (left == 0) {
      draw = next_uint32();
      left = 32;
    }
    element = draw & 1;
    draw >>= 1;
    --left;
  }
}

void NumpyRandom::fill_uint8(std::span<uint8_t> out, uint8_t low, uint8_t range) {
  fill_narrow<uint8_t>(*this, out, low, range);
}

void NumpyRandom::fill_uint16(std::span<uint16_t> out, uint16_t low, uint16_t range) {
  fill_narrow<uint16_t>(*this, out, low, range);
}

void NumpyRandom::fill_uint32(std::span<uint32_t> out, uint32_t low, uint32_t range) {
  const uint32_t mask = range == 0 ? 0 : mask_for(range);
  for (uint32_t& element : out) {
    uint32_t value = 0;
    if (range != 0) {
      do value = next_uint32() & mask;
      while (value > range);
    }
    element = low + value;
  }
}

void NumpyRandom::fill_uint64(std::span<uint64_t> out, uint64_t low, uint64_t range) {
  const uint64_t mask = range == 0 ? 0 : mask_for(range);
  for (uint64_t& element : out) {
    uint64_t value = 0;
    if (range != 0) {
      do {
        value = range > 0xffffffffu ? uint64_t{next_uint32()} << 32 : 0;
        value = (value | next_uint32()) & mask;
      } while (value > range);
    }
    element = low + value;
  }
}

}  // namespace polygraphy
