#if defined(__GNUC__) && !defined(__clang__)
// The loops below are worth vectorising, and floating-point exception flags are not used: to keep
// them exact, g++ would not turn the branches in the loops into selections. Before the includes,
// because functions are not inlined across a change of these options.
#pragma GCC optimize("O3,no-trapping-math")
#endif

#include "base/arrays/element_kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/arrays/float_formats.h"

// How it works: blocks of elements are widened to one of five types that hold them exactly, and
// narrowed from there: a few dozen plain loops instead of one per pair of types. Sources of at most
// 8 bits go through a table of 256 results.

namespace polygraphy {
namespace {

// The types in between. ml_dtypes converts everything to its small floats by way of float32.
enum class Wide { kI32, kI64, kU64, kF32, kF64 };

constexpr int64_t kBlock = 1024;  // elements; buffers stay in the first-level cache

// Out of range as the conversion instructions of x86-64: the smallest integer.
template <typename Float>
int32_t to_int32(Float value) {
  return value > Float(-2147483649.0) && value < Float(2147483648.0)
             ? static_cast<int32_t>(value)
             : std::numeric_limits<int32_t>::min();
}

template <typename Float>
int64_t to_int64(Float value) {
  return value >= Float(-0x1p63) && value < Float(0x1p63) ? static_cast<int64_t>(value)
                                                          : std::numeric_limits<int64_t>::min();
}

constexpr uint64_t kTopBit = uint64_t{1} << 63;

template <typename Float>
uint64_t to_uint64(Float value) {
  if (value >= Float(0x1p63)) {
    return static_cast<uint64_t>(to_int64(value - Float(0x1p63))) ^ kTopBit;
  }
  return static_cast<uint64_t>(to_int64(value));
}

// C's conversion as compilers for x86-64 do it: 8 and 16 bits by way of 32, uint32 by way of 64.
template <typename To, typename From>
To cast(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if constexpr (std::is_same_v<To, uint64_t>) {
      return to_uint64(value);
    } else if constexpr (sizeof(To) == 8 || std::is_same_v<To, uint32_t>) {
      return static_cast<To>(to_int64(value));
    } else {
      return static_cast<To>(to_int32(value));
    }
  } else {
    return static_cast<To>(value);
  }
}

template <typename From>
uint16_t to_float16(From value) {
  if constexpr (std::is_same_v<From, double>) {
    return formats::double_to_float16(value);
  } else {
    return formats::float_to_float16(static_cast<float>(value));
  }
}

// ---- Widening --------------------------------------------------------------------------------

Wide wide_of(DataType type) {
  switch (type) {
    case DataType::kUint32:
    case DataType::kInt64:
      return Wide::kI64;
    case DataType::kUint64:
      return Wide::kU64;
    case DataType::kFloat64:
      return Wide::kF64;
    default:
      return is_floating(type) ? Wide::kF32 : Wide::kI32;
  }
}

template <typename From, typename To, typename Function>
void map(const void* from, int64_t count, void* to, Function function) {
  const auto* input = static_cast<const From*>(from);
  auto* output = static_cast<To*>(to);
  for (int64_t i = 0; i < count; ++i) output[i] = function(input[i]);
}

template <formats::Format f>
void widen_small_float(const void* from, int64_t count, void* to) {
  map<uint8_t, float>(from, count, to, [](uint8_t code) { return formats::decode(f, code); });
}

template <int bits>
int32_t signed_bits(uint8_t code) {
  return static_cast<int8_t>(static_cast<uint8_t>(code << (8 - bits))) >> (8 - bits);
}

// `from` holds elements of `type`, of packed types one per byte; `to` gets wide_of(type). Types
// that are wide already are not handled here.
void widen(DataType type, const void* from, int64_t count, void* to) {
  switch (type) {
    case DataType::kBool:
      return map<uint8_t, int32_t>(from, count, to, [](uint8_t v) { return v != 0; });
    case DataType::kInt8:
      return map<int8_t, int32_t>(from, count, to,
                                  [](int8_t v) { return static_cast<int32_t>(v); });
    case DataType::kUint8:
      return map<uint8_t, int32_t>(from, count, to, [](uint8_t v) { return v; });
    case DataType::kInt16:
      return map<int16_t, int32_t>(from, count, to, [](int16_t v) { return v; });
    case DataType::kUint16:
      return map<uint16_t, int32_t>(from, count, to, [](uint16_t v) { return v; });
    case DataType::kUint32:
      return map<uint32_t, int64_t>(from, count, to, [](uint32_t v) { return v; });
    case DataType::kInt4:
      return map<uint8_t, int32_t>(from, count, to, signed_bits<4>);
    case DataType::kInt2:
      return map<uint8_t, int32_t>(from, count, to, signed_bits<2>);
    case DataType::kUint4:
      return map<uint8_t, int32_t>(from, count, to, [](uint8_t v) { return v & 15; });
    case DataType::kUint2:
      return map<uint8_t, int32_t>(from, count, to, [](uint8_t v) { return v & 3; });
    case DataType::kFloat16:
      return map<uint16_t, float>(from, count, to,
                                  [](uint16_t v) { return formats::float16_to_float(v); });
    case DataType::kBfloat16:
      return map<uint16_t, float>(from, count, to,
                                  [](uint16_t v) { return formats::bfloat16_to_float(v); });
#define PGB_ELEMENT_TYPE(...)
#define PGB_SMALL_FLOAT(enumerator, number, name, onnx_name, numpy_name, bits, ir_version, format) \
  case DataType::enumerator:                                                                       \
    return widen_small_float<formats::format>(from, count, to);
#include "polygraphy/element_types.inc"
    case DataType::kFloat8E8M0:
      return map<uint8_t, float>(from, count, to, formats::decode_e8m0);
    default:
      assert(false && "no element type that widens");
  }
}

bool is_wide(DataType type) {
  return type == DataType::kInt32 || type == DataType::kInt64 || type == DataType::kUint64 ||
         type == DataType::kFloat32 || type == DataType::kFloat64;
}

// ---- Narrowing -------------------------------------------------------------------------------

template <formats::Format f>
void narrow_small_float(const float* from, int64_t count, void* to) {
  map<float, uint8_t>(from, count, to,
                      [](float v) { return static_cast<uint8_t>(formats::encode<f>(v)); });
}

void narrow_small_float(DataType type, const float* from, int64_t count, void* to) {
  switch (type) {
    case DataType::kBfloat16:
      return map<float, uint16_t>(from, count, to,
                                  [](float v) { return formats::float_to_bfloat16(v); });
#define PGB_ELEMENT_TYPE(...)
#define PGB_SMALL_FLOAT(enumerator, number, name, onnx_name, numpy_name, bits, ir_version, format) \
  case DataType::enumerator:                                                                       \
    return narrow_small_float<formats::format>(from, count, to);
#include "polygraphy/element_types.inc"
    case DataType::kFloat8E8M0:
      return map<float, uint8_t>(
          from, count, to, [](float v) { return static_cast<uint8_t>(formats::encode_e8m0(v)); });
    default:
      assert(false && "no element type to narrow to");
  }
}

template <int mask, typename From>
uint8_t low_bits(From value) {
  // ml_dtypes gives 0 above the largest int32, also where truncation would come back into range.
  if constexpr (std::is_same_v<From, double>) value = value > 2147483647.0 ? 0.0 : value;
  return static_cast<uint8_t>(cast<uint8_t>(value) & mask);
}

template <typename From>
void narrow(DataType type, const From* from, int64_t count, void* to) {
  switch (type) {
    case DataType::kBool:
      return map<From, uint8_t>(from, count, to, [](From v) { return v != From{0}; });
    case DataType::kInt8:
      return map<From, int8_t>(from, count, to, [](From v) { return cast<int8_t>(v); });
    case DataType::kUint8:
      return map<From, uint8_t>(from, count, to, [](From v) { return cast<uint8_t>(v); });
    case DataType::kInt16:
      return map<From, int16_t>(from, count, to, [](From v) { return cast<int16_t>(v); });
    case DataType::kUint16:
      return map<From, uint16_t>(from, count, to, [](From v) { return cast<uint16_t>(v); });
    case DataType::kInt32:
      return map<From, int32_t>(from, count, to, [](From v) { return cast<int32_t>(v); });
    case DataType::kUint32:
      return map<From, uint32_t>(from, count, to, [](From v) { return cast<uint32_t>(v); });
    case DataType::kInt64:
      return map<From, int64_t>(from, count, to, [](From v) { return cast<int64_t>(v); });
    case DataType::kUint64:
      return map<From, uint64_t>(from, count, to, [](From v) { return cast<uint64_t>(v); });
    case DataType::kFloat32:
      return map<From, float>(from, count, to, [](From v) { return cast<float>(v); });
    case DataType::kFloat64:
      return map<From, double>(from, count, to, [](From v) { return cast<double>(v); });
    case DataType::kFloat16:
      return map<From, uint16_t>(from, count, to, [](From v) { return to_float16(v); });
    case DataType::kInt4:
    case DataType::kUint4:
      return map<From, uint8_t>(from, count, to, [](From v) { return low_bits<15>(v); });
    case DataType::kInt2:
    case DataType::kUint2:
      return map<From, uint8_t>(from, count, to, [](From v) { return low_bits<3>(v); });
    default:
      break;
  }
  if constexpr (std::is_same_v<From, float>) {
    narrow_small_float(type, from, count, to);
  } else {
    std::array<float, kBlock> block;
    assert(count <= kBlock);
    map<From, float>(from, count, block.data(), cast<float, From>);
    narrow_small_float(type, block.data(), count, to);
  }
}

// At most kBlock elements, of packed types one per byte.
void narrow(Wide wide, DataType type, const void* from, int64_t count, void* to) {
  switch (wide) {
    case Wide::kI32:
      return narrow(type, static_cast<const int32_t*>(from), count, to);
    case Wide::kI64:
      return narrow(type, static_cast<const int64_t*>(from), count, to);
    case Wide::kU64:
      return narrow(type, static_cast<const uint64_t*>(from), count, to);
    case Wide::kF32:
      return narrow(type, static_cast<const float*>(from), count, to);
    case Wide::kF64:
      return narrow(type, static_cast<const double*>(from), count, to);
  }
}

// ---- Pairs that are not the sum of their halves ------------------------------------------------

uint64_t float16_bits_to_double_bits(uint16_t bits) {
  // A NaN keeps its bits; by way of float32 the processor would set the quiet bit.
  if ((bits & 0x7c00) == 0x7c00) {
    return uint64_t{bits & 0x8000u} << 48 | uint64_t{0x7ff} << 52 | uint64_t{bits & 0x3ffu} << 42;
  }
  return std::bit_cast<uint64_t>(static_cast<double>(formats::float16_to_float(bits)));
}

uint16_t bfloat16_to_float16(uint16_t bits) {
  // ml_dtypes keeps nothing of a NaN but its sign.
  if ((bits & 0x7fff) > 0x7f80) return static_cast<uint16_t>((bits & 0x8000) | 0x7e00);
  return formats::float_to_float16(formats::bfloat16_to_float(bits));
}

// ml_dtypes' float8 kinds saturate infinities and give 0 for NaN, where other floats do as the
// processor does.
template <typename To>
void saturate_specials(const float* from, int64_t count, void* to) {
  auto* output = static_cast<To*>(to);
  for (int64_t i = 0; i < count; ++i) {
    if (std::abs(from[i]) <= std::numeric_limits<float>::max()) continue;
    output[i] = from[i] > 0   ? std::numeric_limits<To>::max()
                : from[i] < 0 ? std::numeric_limits<To>::min()
                              : To{0};
  }
}

void saturate_specials(DataType type, const float* from, int64_t count, void* to) {
  switch (type) {
    case DataType::kInt8:
      return saturate_specials<int8_t>(from, count, to);
    case DataType::kUint8:
      return saturate_specials<uint8_t>(from, count, to);
    case DataType::kInt16:
      return saturate_specials<int16_t>(from, count, to);
    case DataType::kUint16:
      return saturate_specials<uint16_t>(from, count, to);
    case DataType::kInt32:
      return saturate_specials<int32_t>(from, count, to);
    case DataType::kUint32:
      return saturate_specials<uint32_t>(from, count, to);
    case DataType::kInt64:
      return saturate_specials<int64_t>(from, count, to);
    case DataType::kUint64:
      return saturate_specials<uint64_t>(from, count, to);
    default:
      break;
  }
  // int4 and the like: the low bits of the int32.
  const auto mask = static_cast<uint8_t>((1u << bit_width(type)) - 1);
  auto* codes = static_cast<uint8_t*>(to);
  for (int64_t i = 0; i < count; ++i) {
    if (!std::isfinite(from[i])) codes[i] = std::isinf(from[i]) && from[i] > 0 ? mask : 0;
  }
}

template <typename T>
void look_up(const std::byte* table, const std::byte* codes, int64_t count, std::byte* to) {
  const auto* results = reinterpret_cast<const T*>(table);
  auto* output = reinterpret_cast<T*>(to);
  for (int64_t i = 0; i < count; ++i) output[i] = results[static_cast<uint8_t>(codes[i])];
}

}  // namespace

void convert_elements(DataType from_type, const std::byte* from, int64_t count, DataType to_type,
                      std::byte* to) {
  if (from_type == DataType::kFloat16 && to_type == DataType::kFloat64) {
    return map<uint16_t, uint64_t>(from, count, to, float16_bits_to_double_bits);
  }
  if (from_type == DataType::kBfloat16 && to_type == DataType::kFloat16) {
    return map<uint16_t, uint16_t>(from, count, to, bfloat16_to_float16);
  }
  const Wide wide = wide_of(from_type);
  alignas(64) std::array<std::byte, kBlock * 8> buffer;
  for (int64_t done = 0; done < count; done += kBlock) {
    const int64_t block = std::min(kBlock, count - done);
    const std::byte* input = from + done * unpacked_size(from_type);
    std::byte* output = to + done * unpacked_size(to_type);
    const void* widened = input;
    if (!is_wide(from_type)) {
      widen(from_type, input, block, buffer.data());
      widened = buffer.data();
    }
    narrow(wide, to_type, widened, block, output);
    if (is_floating(from_type) && bit_width(from_type) <= 8 && is_integral(to_type)) {
      saturate_specials(to_type, static_cast<const float*>(widened), block, output);
    }
  }
}

void convert_by_table(DataType from_type, const std::byte* from, int64_t count, DataType to_type,
                      std::byte* to) {
  std::array<std::byte, 256> codes;
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::byte>(i);
  alignas(8) std::array<std::byte, 256 * 8> table;
  convert_elements(from_type, codes.data(), 256, to_type, table.data());
  switch (unpacked_size(to_type)) {
    case 1:
      return look_up<uint8_t>(table.data(), from, count, to);
    case 2:
      return look_up<uint16_t>(table.data(), from, count, to);
    case 4:
      return look_up<uint32_t>(table.data(), from, count, to);
    default:
      return look_up<uint64_t>(table.data(), from, count, to);
  }
}

}  // namespace polygraphy
