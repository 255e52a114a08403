#include "base/convert.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/float_formats.h"
#include "base/thread_pool.h"

// How it works: blocks of elements are widened to one of five types that hold them exactly, and
// narrowed from there: a few dozen plain loops instead of one per pair of types. Sources of at most
// 8 bits go through a table of 256 results.

namespace polygraphy {
namespace {

// The types in between. ml_dtypes converts everything to its small floats by way of float32.
enum class Wide { kI32, kI64, kU64, kF32, kF64 };

constexpr int64_t kBlock = 1024;  // elements; buffers stay in the first-level cache
constexpr int64_t kGrain = int64_t{1} << 18;

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

template <typename Float>
uint64_t to_uint64(Float value) {
  if (value >= Float(0x1p63)) {
    return static_cast<uint64_t>(to_int64(value - Float(0x1p63))) ^ uint64_t { 1 } << 63;
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
    return double_to_float16(value);
  } else {
    return float_to_float16(static_cast<float>(value));
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

// `from` holds elements of `type`, those of packed types one per byte; `to` gets wide_of(type).
// Types that are wide already are not handled here.
void widen(DataType type, const void* from, int64_t count, void* to) {
  switch (type) {
    case DataType::kBool:
      return map<uint8_t, int32_t>(from, count, to, [](uint8_t v) { return v != 0; });
    case DataType::kInt8:
      return map<int8_t, int32_t>(from, count, to, [](int8_t v) { return v; });
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
      return map<uint16_t, float>(from, count, to, float16_to_float);
    case DataType::kBfloat16:
      return map<uint16_t, float>(from, count, to, bfloat16_to_float);
    case DataType::kFloat8E4M3FN:
      return widen_small_float<formats::kE4M3FN>(from, count, to);
    case DataType::kFloat8E4M3FNUZ:
      return widen_small_float<formats::kE4M3FNUZ>(from, count, to);
    case DataType::kFloat8E5M2:
      return widen_small_float<formats::kE5M2>(from, count, to);
    case DataType::kFloat8E5M2FNUZ:
      return widen_small_float<formats::kE5M2FNUZ>(from, count, to);
    case DataType::kFloat4E2M1:
      return widen_small_float<formats::kE2M1>(from, count, to);
    case DataType::kFloat6E2M3:
      return widen_small_float<formats::kE2M3>(from, count, to);
    case DataType::kFloat6E3M2:
      return widen_small_float<formats::kE3M2>(from, count, to);
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
      return map<float, uint16_t>(from, count, to, float_to_bfloat16);
    case DataType::kFloat8E4M3FN:
      return narrow_small_float<formats::kE4M3FN>(from, count, to);
    case DataType::kFloat8E4M3FNUZ:
      return narrow_small_float<formats::kE4M3FNUZ>(from, count, to);
    case DataType::kFloat8E5M2:
      return narrow_small_float<formats::kE5M2>(from, count, to);
    case DataType::kFloat8E5M2FNUZ:
      return narrow_small_float<formats::kE5M2FNUZ>(from, count, to);
    case DataType::kFloat4E2M1:
      return narrow_small_float<formats::kE2M1>(from, count, to);
    case DataType::kFloat6E2M3:
      return narrow_small_float<formats::kE2M3>(from, count, to);
    case DataType::kFloat6E3M2:
      return narrow_small_float<formats::kE3M2>(from, count, to);
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
      return map<From, int8_t>(from, count, to, cast<int8_t, From>);
    case DataType::kUint8:
      return map<From, uint8_t>(from, count, to, cast<uint8_t, From>);
    case DataType::kInt16:
      return map<From, int16_t>(from, count, to, cast<int16_t, From>);
    case DataType::kUint16:
      return map<From, uint16_t>(from, count, to, cast<uint16_t, From>);
    case DataType::kInt32:
      return map<From, int32_t>(from, count, to, cast<int32_t, From>);
    case DataType::kUint32:
      return map<From, uint32_t>(from, count, to, cast<uint32_t, From>);
    case DataType::kInt64:
      return map<From, int64_t>(from, count, to, cast<int64_t, From>);
    case DataType::kUint64:
      return map<From, uint64_t>(from, count, to, cast<uint64_t, From>);
    case DataType::kFloat32:
      return map<From, float>(from, count, to, cast<float, From>);
    case DataType::kFloat64:
      return map<From, double>(from, count, to, cast<double, From>);
    case DataType::kFloat16:
      return map<From, uint16_t>(from, count, to, to_float16<From>);
    case DataType::kInt4:
    case DataType::kUint4:
      return map<From, uint8_t>(from, count, to, low_bits<15, From>);
    case DataType::kInt2:
    case DataType::kUint2:
      return map<From, uint8_t>(from, count, to, low_bits<3, From>);
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

// At most kBlock elements, those of packed types one per byte.
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
  return std::bit_cast<uint64_t>(static_cast<double>(float16_to_float(bits)));
}

uint16_t bfloat16_to_float16(uint16_t bits) {
  // ml_dtypes keeps nothing of a NaN but its sign.
  if ((bits & 0x7fff) > 0x7f80) return static_cast<uint16_t>((bits & 0x8000) | 0x7e00);
  return float_to_float16(bfloat16_to_float(bits));
}

// ml_dtypes' float8 kinds saturate infinities and give 0 for NaN, where other floats do what the
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
  // int4 and the like: the low bits of what int32 gets.
  const auto mask = static_cast<uint8_t>((1u << bit_width(type)) - 1);
  auto* codes = static_cast<uint8_t*>(to);
  for (int64_t i = 0; i < count; ++i) {
    if (!std::isfinite(from[i])) codes[i] = std::isinf(from[i]) && from[i] > 0 ? mask : 0;
  }
}

// ---- Element kernels ---------------------------------------------------------------------------

// Bytes of one element with packed types unpacked.
int64_t unpacked_size(DataType type) {
  return std::max(bit_width(type), 8) / 8;
}

// Converts elements, those of packed types one per byte on both sides.
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

template <typename T>
void look_up(const std::byte* table, const std::byte* codes, int64_t count, std::byte* to) {
  const auto* results = reinterpret_cast<const T*>(table);
  auto* output = reinterpret_cast<T*>(to);
  for (int64_t i = 0; i < count; ++i) output[i] = results[static_cast<uint8_t>(codes[i])];
}

// The same for one-byte sources and many elements.
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

// ---- Arrays ------------------------------------------------------------------------------------

// Real types only, contiguous and aligned, packed types unpacked.
Array convert_unpacked(const Array& array, DataType from_type, DataType to_type) {
  const DataType result_type = is_packed(to_type) ? DataType::kUint8 : to_type;
  Array result = Array::uninitialized(result_type, array.shape());
  std::byte* to = result.mutable_data();
  const std::byte* from = array.data();
  parallel_for(array.size(), kGrain, [&](int64_t begin, int64_t end) {
    const std::byte* input = from + begin * unpacked_size(from_type);
    std::byte* output = to + begin * unpacked_size(to_type);
    const bool by_table = unpacked_size(from_type) == 1 && end - begin >= 1024;
    (by_table ? convert_by_table : convert_elements)(from_type, input, end - begin, to_type,
                                                     output);
  });
  return result;
}

DataType part_of(DataType complex) {
  return complex == DataType::kComplex64 ? DataType::kFloat32 : DataType::kFloat64;
}

// The same bytes as real numbers: one more axis of two.
Array parts(const Array& complex) {
  Shape shape = complex.shape();
  shape.push_back(2);
  return Array::view(part_of(complex.dtype()), std::move(shape), complex.data(),
                     std::make_shared<const Array>(complex));
}

Array convert_complex(const Array& array, DataType type) {
  if (kind_of(array.dtype()) != Kind::kComplex) {
    const Array real = convert(array, part_of(type));
    Array result = Array::zeros(type, array.shape());
    const auto item = static_cast<size_t>(bit_width(part_of(type)) / 8);
    std::byte* to = result.mutable_data();
    for (size_t i = 0; i < static_cast<size_t>(real.size()); ++i) {
      std::memcpy(to + 2 * item * i, real.data() + item * i, item);
    }
    return result;
  }
  const Array aligned = array.contiguous_aligned();
  if (kind_of(type) == Kind::kComplex) {
    const Array converted = convert(parts(aligned), part_of(type));
    return Array::view(type, array.shape(), converted.data(),
                       std::make_shared<const Array>(converted));
  }
  const int64_t item = bit_width(part_of(array.dtype())) / 8;
  if (type == DataType::kBool) {
    const Array either = convert(parts(aligned), DataType::kBool);
    Array result = Array::uninitialized(DataType::kBool, array.shape());
    const auto flags = either.as<uint8_t>();
    auto* to = reinterpret_cast<uint8_t*>(result.mutable_data());
    for (size_t i = 0; i < static_cast<size_t>(array.size()); ++i) {
      to[i] = flags[2 * i] | flags[2 * i + 1];
    }
    return result;
  }
  const Array real = Array::strided(part_of(array.dtype()), {array.size()}, {2 * item},
                                    aligned.data(), std::make_shared<const Array>(aligned));
  return convert(real.clone(), type).reshaped(array.shape());
}

}  // namespace

float float16_to_float(uint16_t bits) {
  const uint32_t shifted = static_cast<uint32_t>(bits & 0x7fff) << 13;
  // Subnormals: put the digits below a leading one and take that away again. No subnormal float32
  // takes part, so that it does not matter whether the processor is told to flush those to zero.
  constexpr uint32_t kSmallestNormal = 0x38800000u;  // 2^-14
  const uint32_t subnormal = std::bit_cast<uint32_t>(
      std::bit_cast<float>(kSmallestNormal | shifted) - std::bit_cast<float>(kSmallestNormal));
  const uint32_t exponent = bits & 0x7c00;
  const uint32_t finite = exponent == 0 ? subnormal : shifted + (112u << 23);
  return std::bit_cast<float>((exponent == 0x7c00 ? shifted | 0x7f800000u : finite) |
                              static_cast<uint32_t>(bits & 0x8000) << 16);
}

uint16_t float_to_float16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t odd = magnitude >> 13 & 1;
  const uint32_t normal = (magnitude - (112u << 23) + 0xfff + odd) >> 13;
  constexpr float kMagic = 0.5f;  // its last bit is worth the smallest subnormal float16
  const uint32_t subnormal = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + kMagic) -
                             std::bit_cast<uint32_t>(kMagic);
  // The upper bits of a NaN are kept, but it must not become an infinity.
  uint32_t nan = 0x7c00 | (magnitude >> 13 & 0x3ff);
  nan = nan == 0x7c00 ? 0x7c01 : nan;
  uint32_t result = magnitude < 0x38800000u ? subnormal : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00 : result;
  result = magnitude > 0x7f800000u ? nan : result;
  return static_cast<uint16_t>(result | (bits >> 16 & 0x8000));
}

uint16_t double_to_float16(double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const uint64_t magnitude = bits & ~(uint64_t{1} << 63);
  const uint64_t odd = magnitude >> 42 & 1;
  const uint64_t normal =
      (magnitude - (uint64_t{1008} << 52) + ((uint64_t{1} << 41) - 1) + odd) >> 42;
  constexpr double kMagic = 0x1p28;  // its last bit is worth the smallest subnormal float16
  const uint64_t subnormal = std::bit_cast<uint64_t>(std::bit_cast<double>(magnitude) + kMagic) -
                             std::bit_cast<uint64_t>(kMagic);
  uint64_t nan = 0x7c00 | (magnitude >> 42 & 0x3ff);
  nan = nan == 0x7c00 ? 0x7c01 : nan;
  uint64_t result = magnitude < std::bit_cast<uint64_t>(0x1p-14) ? subnormal : normal;
  result = magnitude >= std::bit_cast<uint64_t>(65520.0) ? 0x7c00 : result;
  result = magnitude > uint64_t{0x7ff} << 52 ? nan : result;
  return static_cast<uint16_t>(result | (bits >> 48 & 0x8000));
}

float bfloat16_to_float(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

uint16_t float_to_bfloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  const uint32_t nan = (bits >> 16 & 0x8000) | 0x7fc0;
  return static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}

double decode_double(DataType type, uint64_t bits) {
  double value = 0;
  convert_elements(type, reinterpret_cast<const std::byte*>(&bits), 1, DataType::kFloat64,
                   reinterpret_cast<std::byte*>(&value));
  return value;
}

uint64_t encode_double(DataType type, double value) {
  uint64_t bits = 0;
  convert_elements(DataType::kFloat64, reinterpret_cast<const std::byte*>(&value), 1, type,
                   reinterpret_cast<std::byte*>(&bits));
  return bits;
}

int64_t decode_int64(DataType type, uint64_t bits) {
  int64_t value = 0;
  convert_elements(type, reinterpret_cast<const std::byte*>(&bits), 1, DataType::kInt64,
                   reinterpret_cast<std::byte*>(&value));
  return value;
}

Array convert(const Array& array, DataType type) {
  const DataType from = array.dtype();
  if (from == type) return array;
  const auto is_number = [](DataType t) { return is_known(t) && t != DataType::kString; };
  if (!is_number(from) || !is_number(type)) {
    const auto shown = [](DataType t) {
      return is_known(t) ? std::string(name_of(t))
                         : "number " + std::to_string(static_cast<int32_t>(t));
    };
    throw Error("cannot convert elements of type " + shown(from) + " to type " + shown(type));
  }
  if (kind_of(from) == Kind::kComplex || kind_of(type) == Kind::kComplex) {
    return convert_complex(array, type);
  }
  const Array unpacked = is_packed(from) ? unpack(array) : array.contiguous_aligned();
  Array result = convert_unpacked(unpacked, from, type);
  return is_packed(type) ? pack(result, type) : result;
}

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
  const int bits = bit_width(type);
  const bool is_signed = kind_of(type) == Kind::kSigned;
  Array result =
      Array::uninitialized(is_signed ? DataType::kInt8 : DataType::kUint8, array.shape());
  auto* to = reinterpret_cast<uint8_t*>(result.mutable_data());
  const int shift = is_signed ? 8 - bits : 0;
  for (int64_t i = 0; i < array.size(); ++i) {
    const uint8_t code = packed_element(array.data(), i, bits);
    to[i] = static_cast<uint8_t>(static_cast<int8_t>(static_cast<uint8_t>(code << shift)) >> shift);
  }
  return result;
}

Array pack(const Array& array, DataType type) {
  assert(is_packed(type) && "only types of less than 8 bits are packed");
  assert(bit_width(array.dtype()) == 8 && "one byte per element");
  const Array source = array.contiguous_aligned(1);
  const int bits = bit_width(type);
  Array result = Array::uninitialized(type, array.shape());
  auto* to = reinterpret_cast<uint8_t*>(result.mutable_data());
  const uint8_t mask = static_cast<uint8_t>((1u << bits) - 1);
  unsigned pending = 0;
  int filled = 0;
  for (const std::byte element : source.bytes()) {
    pending |= (std::to_integer<unsigned>(element) & mask) << filled;
    filled += bits;
    if (filled < 8) continue;
    *to++ = static_cast<uint8_t>(pending);
    pending >>= 8;
    filled -= 8;
  }
  if (filled > 0) *to = static_cast<uint8_t>(pending);
  return result;
}

}  // namespace polygraphy
