#include "formats/base64.h"

#include <libbase64.h>

#include <algorithm>
#include <cstring>

namespace polygraphy {
namespace {

size_t encode_groups(const unsigned char* bytes, size_t count, char* out) {
  size_t length = 0;
  base64_encode(reinterpret_cast<const char*>(bytes), count, out, &length, 0);
  return length;
}

}  // namespace

std::optional<size_t> decoded_base64_size(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  size_t size = text.size() / 4 * 3;
  if (text.ends_with("==")) return size - 2;
  if (text.ends_with("=")) return size - 1;
  return size;
}

bool decode_base64(std::string_view text, std::byte* out) {
  size_t length = 0;
  const auto size = decoded_base64_size(text);
  return size &&
         base64_decode(text.data(), text.size(), reinterpret_cast<char*>(out), &length, 0) == 1 &&
         length == *size;
}

Base64Source::Base64Source(std::string_view text)
    : text_(text), remaining_(decoded_base64_size(text).value_or(0)) {}

bool Base64Source::read(std::span<std::byte> out) {
  remaining_ -= out.size();
  while (!out.empty()) {
    if (carried_ > 0) {
      const size_t take = std::min(carried_, out.size());
      std::memcpy(out.data(), carry_, take);
      std::memmove(carry_, carry_ + take, carried_ - take);
      carried_ -= take;
      out = out.subspan(take);
      continue;
    }
    // Whole groups straight into place; the padded one, if it is the last, has fewer bytes.
    const size_t groups = std::min(out.size() / 3, text_.size() / 4);
    if (groups > 0 && !(groups * 4 == text_.size() && text_.ends_with('='))) {
      if (!decode_base64(text_.substr(0, groups * 4), out.data())) return false;
      text_.remove_prefix(groups * 4);
      out = out.subspan(groups * 3);
      continue;
    }
    if (groups > 1) {
      if (!decode_base64(text_.substr(0, (groups - 1) * 4), out.data())) return false;
      text_.remove_prefix((groups - 1) * 4);
      out = out.subspan((groups - 1) * 3);
      continue;
    }
    const std::string_view group = text_.substr(0, 4);
    if (group.empty() || !decode_base64(group, carry_)) return false;
    carried_ = *decoded_base64_size(group);
    text_.remove_prefix(4);
  }
  return true;
}

Base64Encoder::Base64Encoder() : carry_{} {}

size_t Base64Encoder::encode(std::span<const std::byte> bytes, char* out) {
  const auto* in = reinterpret_cast<const unsigned char*>(bytes.data());
  size_t count = bytes.size();
  size_t written = 0;
  if (carried_ > 0) {
    while (carried_ < 3 && count > 0) {
      carry_[carried_++] = *in++;
      --count;
    }
    if (carried_ < 3) return 0;
    written = encode_groups(carry_, 3, out);
    carried_ = 0;
  }
  const size_t whole = count / 3 * 3;
  if (whole > 0) written += encode_groups(in, whole, out + written);
  carried_ = count - whole;
  std::memcpy(carry_, in + whole, carried_);
  return written;
}

size_t Base64Encoder::finish(char* out) {
  const size_t written = carried_ > 0 ? encode_groups(carry_, carried_, out) : 0;
  carried_ = 0;
  return written;
}

}  // namespace polygraphy
