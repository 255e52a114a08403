#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")  // vectorises the loops over whole bytes
#endif

#include "base/arrays/packing.h"

#include <cassert>

namespace polygraphy {
namespace {

template <int bits>
void unpack_elements(const uint8_t* from, int64_t count, bool is_signed, uint8_t* to) {
  constexpr int64_t kPerByte = 8 / bits;
  constexpr int kMask = (1 << bits) - 1;
  // Flips the sign bit and takes its weight away again: extends the sign.
  const int flip = is_signed ? 1 << (bits - 1) : 0;
  for (int64_t i = 0; i < count / kPerByte; ++i) {
    for (int k = 0; k < kPerByte; ++k) {
      to[i * kPerByte + k] = static_cast<uint8_t>(((from[i] >> (k * bits) & kMask) ^ flip) - flip);
    }
  }
  for (int64_t i = count / kPerByte * kPerByte; i < count; ++i) {
    const int shift = static_cast<int>(i % kPerByte) * bits;
    to[i] = static_cast<uint8_t>(((from[i / kPerByte] >> shift & kMask) ^ flip) - flip);
  }
}

void unpack_any(const Array& array, uint8_t* to) {
  for (int64_t i = 0; i < array.size(); ++i) {
    to[i] = packed_element(array.data(), i, bit_width(array.dtype()));
  }
}

template <int bits>
void pack_elements(const uint8_t* from, int64_t count, uint8_t* to) {
  constexpr int64_t kPerByte = 8 / bits;
  constexpr int kMask = (1 << bits) - 1;
  for (int64_t i = 0; i < count / kPerByte; ++i) {
    int byte = 0;
    for (int k = 0; k < kPerByte; ++k) byte |= (from[i * kPerByte + k] & kMask) << (k * bits);
    to[i] = static_cast<uint8_t>(byte);
  }
  if (count % kPerByte == 0) return;
  int byte = 0;
  for (int64_t i = count / kPerByte * kPerByte; i < count; ++i) {
    byte |= (from[i] & kMask) << (static_cast<int>(i % kPerByte) * bits);
  }
  to[count / kPerByte] = static_cast<uint8_t>(byte);
}

void pack_any(const uint8_t* from, int64_t count, int bits, uint8_t* to) {
  unsigned pending = 0;
  int filled = 0;
  for (int64_t i = 0; i < count; ++i) {
    pending |= (from[i] & ((1u << bits) - 1)) << filled;
    filled += bits;
    if (filled < 8) continue;
    *to++ = static_cast<uint8_t>(pending);
    pending >>= 8;
    filled -= 8;
  }
  if (filled > 0) *to = static_cast<uint8_t>(pending);
}

}  // namespace

uint8_t packed_element(const std::byte* data, int64_t index, int bits) {
  const int64_t bit = index * bits;
  const int shift = static_cast<int>(bit % 8);
  unsigned value = std::to_integer<unsigned>(data[bit / 8]) >> shift;
  if (shift + bits > 8) value |= std::to_integer<unsigned>(data[bit / 8 + 1]) << (8 - shift);
  return static_cast<uint8_t>(value & ((1u << bits) - 1));
}

Array unpack(const Array& array) {
  const DataType type = array.dtype();
  if (!is_packed(type)) return array.contiguous_aligned();
  const bool is_signed = kind_of(type) == Kind::kSigned;
  Array result =
      Array::uninitialized(is_signed ? DataType::kInt8 : DataType::kUint8, array.shape());
  auto* to = reinterpret_cast<uint8_t*>(result.mutable_data());
  const auto* from = reinterpret_cast<const uint8_t*>(array.data());
  switch (bit_width(type)) {
    case 2:
      unpack_elements<2>(from, array.size(), is_signed, to);
      break;
    case 4:
      unpack_elements<4>(from, array.size(), is_signed, to);
      break;
    default:
      unpack_any(array, to);
      break;
  }
  return result;
}

Array pack(const Array& array, DataType type) {
  assert(is_packed(type) && "only types of less than 8 bits are packed");
  assert(bit_width(array.dtype()) == 8 && "one byte per element");
  const Array source = array.contiguous_aligned(1);
  Array result = Array::uninitialized(type, array.shape());
  auto* to = reinterpret_cast<uint8_t*>(result.mutable_data());
  const auto* from = reinterpret_cast<const uint8_t*>(source.data());
  switch (bit_width(type)) {
    case 2:
      pack_elements<2>(from, array.size(), to);
      break;
    case 4:
      pack_elements<4>(from, array.size(), to);
      break;
    default:
      pack_any(from, array.size(), bit_width(type), to);
      break;
  }
  return result;
}

}  // namespace polygraphy
