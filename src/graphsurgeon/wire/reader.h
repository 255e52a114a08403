// Reads protobuf messages in place: nothing is copied, nothing outside the fields' headers is
// touched. Source: the protobuf encoding document; varints are decoded by protozero.
//
// Own cursor instead of protozero::pbf_reader, because that one keeps lengths in 32 bits (a file
// beyond 4 GiB would be misread in silence), refuses groups, and does not know where it failed.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "graphsurgeon/wire/parse_error.h"

namespace graphsurgeon::wire {

static_assert(std::endian::native == std::endian::little,
              "payloads and fixed-width fields are little endian and are used in place");

enum class WireType : uint8_t {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,
  kStartGroup = 3,
  kEndGroup = 4,
  kFixed32 = 5,
};

// Field number and wire type in one number, for switch statements.
constexpr uint64_t key(uint32_t number, WireType type) {
  return (uint64_t{number} << 3) | static_cast<uint64_t>(type);
}
constexpr uint64_t varint_key(uint32_t number) {
  return key(number, WireType::kVarint);
}
constexpr uint64_t bytes_key(uint32_t number) {
  return key(number, WireType::kBytes);
}
constexpr uint64_t fixed32_key(uint32_t number) {
  return key(number, WireType::kFixed32);
}
constexpr uint64_t fixed64_key(uint32_t number) {
  return key(number, WireType::kFixed64);
}

// Walks over the fields of one message. Each field is read whole by next(), so one that is not used
// is skipped, and raw() can be kept as an unknown field. Throws ParseError. O(1) per field.
class Reader {
 public:
  explicit Reader(std::string_view message)
      : begin_(message.data()), at_(begin_), end_(begin_ + message.size()) {}

  bool next() {
    if (at_ == end_) return false;
    field_ = at_;
    key_ = read_varint();
    switch (static_cast<WireType>(key_ & 7)) {
      case WireType::kVarint:
        value_ = read_varint();
        break;
      case WireType::kBytes:
        read_bytes();
        break;
      default:
        read_other();
    }
    if (key_ < 8 || key_ > 0xffffffffu) bad_number();
    return true;
  }

  uint64_t key() const { return key_; }
  uint32_t number() const { return static_cast<uint32_t>(key_ >> 3); }
  WireType type() const { return static_cast<WireType>(key_ & 7); }

  // Each is meaningful only for fields of that wire type. bytes() of an empty field is empty, but
  // not a null view.
  uint64_t varint() const { return value_; }
  int64_t as_int64() const { return static_cast<int64_t>(value_); }
  int32_t as_int32() const { return static_cast<int32_t>(value_); }  // cut off, as protobuf does
  std::string_view bytes() const { return bytes_; }
  float as_float() const { return std::bit_cast<float>(static_cast<uint32_t>(value_)); }
  double as_double() const { return std::bit_cast<double>(value_); }

  // The whole field, key included.
  std::string_view raw() const { return {field_, static_cast<size_t>(at_ - field_)}; }
  const char* position() const { return field_; }

 private:
  uint64_t read_varint() {
    if (at_ != end_ && static_cast<signed char>(*at_) >= 0) {
      return static_cast<unsigned char>(*at_++);
    }
    return read_long_varint();
  }
  void read_bytes() {
    const uint64_t length = read_varint();
    if (length > static_cast<uint64_t>(end_ - at_)) too_long(length);
    bytes_ = {at_, static_cast<size_t>(length)};
    at_ += length;
  }
  uint64_t read_long_varint();
  void read_other();
  void skip_group();
  [[noreturn]] void too_long(uint64_t length) const;
  [[noreturn]] void bad_number() const;

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* field_ = nullptr;
  uint64_t key_ = 0;
  uint64_t value_ = 0;
  std::string_view bytes_;
};

// Calls `use(uint64_t)` for each varint of a packed field. Throws ParseError.
template <typename Use>
void for_each_varint(std::string_view packed, Use use);

// How many varints a packed field holds. Throws nothing: a cut-off one at the end is not counted.
size_t count_varints(std::string_view packed);

uint64_t decode_varint(const char** at, const char* end);

template <typename Use>
void for_each_varint(std::string_view packed, Use use) {
  const char* at = packed.data();
  const char* const end = at + packed.size();
  while (at != end) {
    if (static_cast<signed char>(*at) >= 0) {
      use(static_cast<uint64_t>(static_cast<unsigned char>(*at++)));
    } else {
      use(decode_varint(&at, end));
    }
  }
}

}  // namespace graphsurgeon::wire
