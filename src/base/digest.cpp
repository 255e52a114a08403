#include "base/digest.h"

#include <bit>
#include <cstring>

namespace polygraphy {
namespace {

// Odd, with bits all over: the golden ratio and the roots of 2 and 3 in 64 bits.
constexpr uint64_t kA = 0x9e3779b97f4a7c15, kB = 0x6a09e667f3bcc909, kC = 0xbb67ae8584caa73b;

// Every bit of the result depends on every bit of the word.
uint64_t spread(uint64_t word) {
  word ^= word >> 32;
  word *= kA;
  word ^= word >> 29;
  word *= kC;
  return word ^ (word >> 32);
}

}  // namespace

// Two lanes that see the same words in different ways.
void Digest::mix(uint64_t word) {
  state_[0] = std::rotl(state_[0] ^ (word * kA), 31) * kB;
  state_[1] = (std::rotl(state_[1], 27) + (word ^ kC)) * kA;
}

Digest& Digest::add(std::string_view bytes) {
  mix(bytes.size());
  uint64_t word = 0;
  while (bytes.size() >= sizeof word) {
    std::memcpy(&word, bytes.data(), sizeof word);
    mix(word);
    bytes.remove_prefix(sizeof word);
  }
  word = 0;
  std::memcpy(&word, bytes.data(), bytes.size());
  if (!bytes.empty()) mix(word);
  return *this;
}

std::string Digest::text() const {
  const uint64_t first = spread(state_[0] + std::rotl(state_[1], 17));
  std::string text;
  for (const uint64_t word : {first, spread(state_[1] ^ first)}) {
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(word >> shift) & 15];
  }
  return text;
}

}  // namespace polygraphy
