#include "graphsurgeon/wire/reader.h"

#include <fmt/format.h>

#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

namespace graphsurgeon::wire {

uint64_t decode_varint(const char** at, const char* end) {
  try {
    return protozero::decode_varint(at, end);
  } catch (const protozero::end_of_buffer_exception&) {
    throw ParseError(*at, "truncated inside a number");
  } catch (const protozero::varint_too_long_exception&) {
    throw ParseError(*at, "a number of more than 10 bytes");
  }
}

size_t count_varints(std::string_view packed) {
  size_t count = 0;
  for (char c : packed) count += static_cast<signed char>(c) >= 0;
  return count;
}

uint64_t Reader::read_long_varint() {
  return decode_varint(&at_, end_);
}

void Reader::read_other() {
  switch (type()) {
    case WireType::kFixed32: {
      if (end_ - at_ < 4) too_long(4);
      uint32_t value;
      std::memcpy(&value, at_, 4);
      value_ = value;
      at_ += 4;
      return;
    }
    case WireType::kFixed64:
      if (end_ - at_ < 8) too_long(8);
      std::memcpy(&value_, at_, 8);
      at_ += 8;
      return;
    case WireType::kStartGroup:
      skip_group();
      return;
    case WireType::kEndGroup:
      throw ParseError(field_,
                       fmt::format("field {}: end of a group without a beginning", number()));
    default:
      throw ParseError(field_, fmt::format("field {}: {} is not a wire type", number(), key_ & 7));
  }
}

// Groups are a relic that no ONNX message uses; as unknown fields they are kept. Nested ones are
// counted, not recursed into; that the numbers of begin and end agree is not looked at.
void Reader::skip_group() {
  const uint64_t group = key_;
  Reader inner(std::string_view(at_, static_cast<size_t>(end_ - at_)));
  uint64_t depth = 1;
  while (depth > 0) {
    if (inner.at_ == end_) {
      throw ParseError(field_, fmt::format("field {}: a group without an end", group >> 3));
    }
    inner.field_ = inner.at_;
    inner.key_ = inner.read_varint();
    switch (inner.type()) {
      case WireType::kVarint:
        inner.value_ = inner.read_varint();
        break;
      case WireType::kBytes:
        inner.read_bytes();
        break;
      case WireType::kStartGroup:
        ++depth;
        break;
      case WireType::kEndGroup:
        --depth;
        break;
      default:
        inner.read_other();
    }
  }
  at_ = inner.at_;
}

void Reader::too_long(uint64_t length) const {
  throw ParseError(field_, fmt::format("field {} claims {} bytes, but only {} are left", number(),
                                       length, end_ - at_));
}

void Reader::bad_number() const {
  throw ParseError(field_, fmt::format("{} is not a field number", key_ >> 3));
}

}  // namespace graphsurgeon::wire
