// Telling contents apart by a short text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace polygraphy {

// 128 bits, good enough to take equal digests for equal contents, and fast; nothing that holds
// against somebody who wants two contents to look alike. The same on every machine of our byte
// order. What is added in pieces is not what is added at once: lengths count.
class Digest {
 public:
  Digest& add(std::string_view bytes);
  Digest& add(uint64_t number) {
    mix(number);
    return *this;
  }
  // 32 hexadecimal digits. More can be added.
  std::string text() const;

 private:
  void mix(uint64_t word);

  std::array<uint64_t, 2> state_ = {0x243f6a8885a308d3, 0x13198a2e03707344};  // digits of pi
};

}  // namespace polygraphy
