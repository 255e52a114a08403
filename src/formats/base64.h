// Base64, standard alphabet, padded, no line breaks: in pieces when encoding, straight into place
// when decoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace polygraphy {

// Bytes of well-formed text: its padding counted. nullopt when the length is not a multiple of 4.
std::optional<size_t> decoded_base64_size(std::string_view text);

// Decodes all of `text` to `out`, which has room for decoded_base64_size() bytes. False when it is
// not base64.
bool decode_base64(std::string_view text, std::byte* out);

// A decoder that fills places given one after the other: the header of an array, then its data.
class Base64Source {
 public:
  explicit Base64Source(std::string_view text);
  // Decoded bytes that are left.
  size_t remaining() const { return remaining_; }
  // The next out.size() bytes, which must not be more than remaining(). False: the text is not
  // base64.
  bool read(std::span<std::byte> out);

 private:
  std::string_view text_;  // not decoded yet; starts at a group of four characters
  size_t remaining_ = 0;
  std::byte carry_[3];  // decoded, not handed out
  size_t carried_ = 0;
};

// Gives the text for bytes handed over in pieces of any size.
class Base64Encoder {
 public:
  Base64Encoder();
  // The most characters for `bytes` and carried-over bytes.
  static size_t text_limit(size_t bytes) { return bytes / 3 * 4 + 8; }
  // Writes to `out`; returns the number of characters.
  size_t encode(std::span<const std::byte> bytes, char* out);
  // The rest and the padding, up to 4 characters.
  size_t finish(char* out);

 private:
  unsigned char carry_[3];
  size_t carried_ = 0;
};

}  // namespace polygraphy
