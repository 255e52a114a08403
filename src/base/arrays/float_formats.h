// The small floating-point formats: one descriptor each, and the two conversions with float32 that
// follow from it. Internal to base. Sources: ONNX "Float stored in 8 bits" and "Float stored in 4
// bits", OCP MX (float6, e8m0), ml_dtypes for the choice of codes for NaN and overflow.
#pragma once

#include <bit>
#include <cstdint>

namespace polygraphy::formats {

enum class Special : uint8_t {
  kInfinity,      // IEEE: largest exponent is inf and NaN (e5m2)
  kNanOnly,       // all exponent and mantissa bits set is NaN, no inf (e4m3fn)
  kNegativeZero,  // the code of -0 is NaN, no inf, no -0 (fnuz)
  kNone,          // neither; overflow saturates (float4, float6)
};

// A sign bit, then `exponent` bits, then `mantissa` bits.
struct Format {
  int exponent;
  int mantissa;
  int bias;
  Special special;
};

inline constexpr Format kE4M3FN{4, 3, 7, Special::kNanOnly};
inline constexpr Format kE4M3FNUZ{4, 3, 8, Special::kNegativeZero};
inline constexpr Format kE5M2{5, 2, 15, Special::kInfinity};
inline constexpr Format kE5M2FNUZ{5, 2, 16, Special::kNegativeZero};
inline constexpr Format kE2M1{2, 1, 1, Special::kNone};
inline constexpr Format kE2M3{2, 3, 1, Special::kNone};
inline constexpr Format kE3M2{3, 2, 3, Special::kNone};

constexpr uint32_t magnitude_mask(Format f) {
  return (1u << (f.exponent + f.mantissa)) - 1;
}
constexpr uint32_t sign_bit(Format f) {
  return 1u << (f.exponent + f.mantissa);
}

// The largest finite code, without sign.
constexpr uint32_t largest_code(Format f) {
  switch (f.special) {
    case Special::kInfinity:
      return (((1u << f.exponent) - 1) << f.mantissa) - 1;
    case Special::kNanOnly:
      return magnitude_mask(f) - 1;
    default:
      return magnitude_mask(f);
  }
}

// 2^exponent as float32 bits, for normal exponents.
constexpr uint32_t power_of_two_bits(int exponent) {
  return static_cast<uint32_t>(exponent + 127) << 23;
}

constexpr float decode(Format f, uint32_t code) {
  const uint32_t magnitude = code & magnitude_mask(f);
  const bool negative = (code & sign_bit(f)) != 0;
  const uint32_t sign = negative ? 0x80000000u : 0;
  constexpr uint32_t kNan = 0x7fc00000u;
  switch (f.special) {
    case Special::kInfinity:
      if (magnitude > largest_code(f) + 1) return std::bit_cast<float>(sign | kNan);
      if (magnitude > largest_code(f)) return std::bit_cast<float>(sign | 0x7f800000u);
      break;
    case Special::kNanOnly:
      if (magnitude == magnitude_mask(f)) return std::bit_cast<float>(sign | kNan);
      break;
    case Special::kNegativeZero:
      if (negative && magnitude == 0) return std::bit_cast<float>(sign | kNan);
      break;
    case Special::kNone:
      break;
  }
  const uint32_t exponent = magnitude >> f.mantissa;
  const uint32_t mantissa = magnitude & ((1u << f.mantissa) - 1);
  // value = (hidden bit + mantissa) * 2^(exponent - bias - mantissa bits); exact in float32.
  const uint32_t digits = exponent == 0 ? mantissa : mantissa | 1u << f.mantissa;
  const int scale = (exponent == 0 ? 1 : static_cast<int>(exponent)) - f.bias - f.mantissa;
  const float value = static_cast<float>(digits) * std::bit_cast<float>(power_of_two_bits(scale));
  return negative ? -value : value;
}

// Round to nearest, ties to even. Written without branches, so that compilers can vectorise loops
// over it.
template <Format f>
constexpr uint32_t encode(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t negative = bits >> 31;
  const uint32_t magnitude = bits & 0x7fffffffu;

  // Normal results: move the exponent to the new bias, round the mantissa; a carry goes into the
  // exponent as it should.
  constexpr int kShift = 23 - f.mantissa;
  constexpr uint32_t kRebias = static_cast<uint32_t>(f.bias - 127) << 23;
  const uint32_t odd = magnitude >> kShift & 1;
  const uint32_t normal = (magnitude + kRebias + ((1u << (kShift - 1)) - 1) + odd) >> kShift;

  // Subnormal results: adding a number with a last bit worth the smallest result makes the
  // processor round for us.
  constexpr uint32_t kMagic = power_of_two_bits(1 - f.bias - f.mantissa + 23);
  const uint32_t subnormal =
      std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + std::bit_cast<float>(kMagic)) -
      kMagic;

  constexpr uint32_t kSmallestNormal = power_of_two_bits(1 - f.bias);
  // Half a step above the largest code; a tie goes to the even code.
  constexpr uint32_t kLargest = std::bit_cast<uint32_t>(decode(f, largest_code(f)));
  constexpr uint32_t kLimit = kLargest + (1u << (kShift - 1)) + (largest_code(f) & 1 ? 0 : 1);
  uint32_t code = magnitude < kSmallestNormal ? subnormal : normal;

  constexpr uint32_t kOverflow = f.special == Special::kNone       ? largest_code(f)
                                 : f.special == Special::kInfinity ? largest_code(f) + 1
                                 : f.special == Special::kNanOnly  ? magnitude_mask(f)
                                                                   : 0;
  code = magnitude >= kLimit ? kOverflow : code;
  uint32_t sign = negative << (f.exponent + f.mantissa);
  const bool is_nan = magnitude > 0x7f800000u;
  if constexpr (f.special == Special::kNegativeZero) {
    // One NaN, and no negative zero.
    const bool nan_result = magnitude >= kLimit;
    sign = nan_result ? sign_bit(f) : code == 0 ? 0 : sign;
  } else if constexpr (f.special == Special::kInfinity) {
    code = is_nan ? magnitude_mask(f) - ((1u << (f.mantissa - 1)) - 1) : code;
  } else if constexpr (f.special == Special::kNone) {
    // There is no NaN to give: ml_dtypes gives a zero of the opposite sign.
    code = is_nan ? 0 : code;
    sign = is_nan ? sign ^ sign_bit(f) : sign;
  }
  return sign | code;
}

// e8m0: no sign, no mantissa, 2^(code - 127); 0xff is NaN.
constexpr float decode_e8m0(uint32_t code) {
  if (code == 0xff) return std::bit_cast<float>(0x7fc00000u);
  return std::bit_cast<float>(code == 0 ? 0x00400000u : code << 23);
}

// Unlike the others, ties go up. Zero, negative and too large values give NaN.
constexpr uint32_t encode_e8m0(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  // 2^-127 is the one tie (of subnormal float32) that is exact.
  const uint32_t code = bits == 0x00400000u ? 0 : (bits + 0x00400000u) >> 23;
  return bits == 0 || bits > 0x7f800000u ? 0xff : code;
}

// ---- The 16-bit formats
// ----------------------------------------------------------------------------

constexpr float float16_to_float(uint16_t bits) {
  const uint32_t shifted = static_cast<uint32_t>(bits & 0x7fff) << 13;
  // Subnormals: put the digits below a leading one and take that away again. No subnormal float32
  // takes part, so that the processor's flush-to-zero mode does not matter.
  constexpr uint32_t kSmallestNormal = 0x38800000u;  // 2^-14
  const uint32_t subnormal = std::bit_cast<uint32_t>(
      std::bit_cast<float>(kSmallestNormal | shifted) - std::bit_cast<float>(kSmallestNormal));
  const uint32_t exponent = bits & 0x7c00;
  const uint32_t finite = exponent == 0 ? subnormal : shifted + (112u << 23);
  return std::bit_cast<float>((exponent == 0x7c00 ? shifted | 0x7f800000u : finite) |
                              static_cast<uint32_t>(bits & 0x8000) << 16);
}

constexpr uint16_t float_to_float16(float value) {
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

constexpr uint16_t double_to_float16(double value) {
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

constexpr float bfloat16_to_float(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

constexpr uint16_t float_to_bfloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  const uint32_t nan = (bits >> 16 & 0x8000) | 0x7fc0;
  return static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}

}  // namespace polygraphy::formats
