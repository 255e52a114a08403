// A 128-bit digest that identifies contents.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace polygraphy {

// Fast and not cryptographic: equal digests stand for equal contents, but collisions can be
// constructed on purpose. The same on every machine of the same byte order. Lengths are mixed in,
// so bytes added in pieces give another digest than the same bytes added at once.
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
