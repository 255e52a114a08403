#include "base/arrays/convert.h"
#include "base/arrays/packing.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "base/arrays/testdata/golden_inputs.h"
#include "base/error.h"
#include "base/thread_pool.h"

namespace polygraphy {
namespace {

DataType type_named(const std::string& name) {
  const auto type = parse_data_type(name);
  EXPECT_TRUE(type.has_value()) << name;
  return type.value_or(DataType::kUndefined);
}

bool in_range_of_uint32(const Array& inputs, int64_t index) {
  const bool complex = kind_of(inputs.dtype()) == Kind::kComplex;
  const double value =
      complex ? convert(inputs, DataType::kFloat64).get_double(index) : inputs.get_double(index);
  return value > -0x1p31 && value < 0x1p32;
}

// Out of range, NumPy's answer depends on the processor: the golden has zeros there.
Array without_overflow(const Array& inputs, const Array& result) {
  if (result.dtype() != DataType::kUint32 || bit_width(inputs.dtype()) < 16 ||
      (!is_floating(inputs.dtype()) && kind_of(inputs.dtype()) != Kind::kComplex)) {
    return result;
  }
  const Array reals =
      kind_of(inputs.dtype()) == Kind::kComplex ? convert(inputs, DataType::kFloat64) : inputs;
  Array masked = result.clone();
  auto* elements = reinterpret_cast<uint32_t*>(masked.mutable_data());
  for (int64_t i = 0; i < masked.size(); ++i) {
    if (!in_range_of_uint32(reals, i)) elements[i] = 0;
  }
  return masked;
}

TEST(Convert, AgreesWithNumpyAndMlDtypesOnEveryPairOfTypes) {
  std::map<std::string, Array> inputs;
  int pairs = 0;
  for (const auto& line : golden::words("conversions.txt")) {
    if (line[0] == "inputs") {
      const Array array = golden::conversion_inputs(type_named(line[1]));
      ASSERT_EQ(std::to_string(array.size()), line[2]) << line[1];
      ASSERT_EQ(golden::crc_of_elements(array), line[3]) << "not the same inputs: " << line[1];
      inputs[line[1]] = array;
      continue;
    }
    const Array& from = inputs.at(line[0]);
    const Array result = without_overflow(from, convert(from, type_named(line[1])));
    EXPECT_EQ(golden::crc_of_elements(result), line[2]) << line[0] << " -> " << line[1];
    ++pairs;
  }
  EXPECT_GT(pairs, 650);
}

TEST(Convert, DecodesEveryCodeOfTheSmallFloats) {
  int types = 0;
  for (const auto& line : golden::words("small_floats.txt")) {
    if (line[0] != "values") continue;
    ++types;
    const DataType type = type_named(line[1]);
    for (size_t code = 0; code + 2 < line.size(); ++code) {
      const auto expected =
          std::bit_cast<float>(static_cast<uint32_t>(std::stoul(line[code + 2], nullptr, 16)));
      const double value = decode_double(type, code);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(value)) << line[1] << " " << code;
      } else {
        EXPECT_EQ(value, static_cast<double>(expected)) << line[1] << " " << code;
      }
    }
  }
  EXPECT_EQ(types, 8);
}

TEST(Convert, RoundsAndOverflowsAtTheEdgesOfTheSmallFloats) {
  int types = 0;
  for (const auto& line : golden::words("small_floats.txt")) {
    if (line[0] != "codes") continue;
    ++types;
    const DataType type = type_named(line[1]);
    for (size_t i = 2; i < line.size(); ++i) {
      const auto bits = static_cast<uint32_t>(std::stoul(line[i].substr(0, 8), nullptr, 16));
      const uint64_t code = std::stoul(line[i].substr(9), nullptr, 16);
      const float value = std::bit_cast<float>(bits);
      EXPECT_EQ(encode_double(type, static_cast<double>(value)), code) << line[1] << " " << value;
    }
  }
  EXPECT_EQ(types, 8);
}

TEST(Convert, RoundsDoubleToFloat16Once) {
  // Just above the middle between 1 and the next float16: float32 in between would lose the rest,
  // and the tie would go down.
  EXPECT_EQ(double_to_float16(1.0 + 0x1p-11 + 0x1p-40), 0x3c01);
  EXPECT_EQ(double_to_float16(1.0 + 0x1p-11), 0x3c00);
  EXPECT_EQ(float_to_float16(static_cast<float>(1.0 + 0x1p-11 + 0x1p-40)), 0x3c00);
  EXPECT_EQ(double_to_float16(65519.999), 0x7bff);
  EXPECT_EQ(double_to_float16(65520.0), 0x7c00);
  EXPECT_EQ(double_to_float16(0x1p-25), 0);
  EXPECT_EQ(double_to_float16(0x1.0001p-25), 1);
}

TEST(Convert, DecodesEveryFloat16AsItsFormula) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const int exponent = bits >> 10 & 31;
    const int mantissa = bits & 1023;
    const double sign = bits >> 15 != 0 ? -1.0 : 1.0;
    const auto value = static_cast<double>(float16_to_float(static_cast<uint16_t>(bits)));
    if (exponent == 31 && mantissa != 0) {
      EXPECT_TRUE(std::isnan(value));
    } else if (exponent == 31) {
      EXPECT_EQ(value, sign * std::numeric_limits<double>::infinity());
    } else {
      const double expected =
          exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
      EXPECT_EQ(value, sign * expected);
      EXPECT_EQ(double_to_float16(value), bits);
      EXPECT_EQ(float_to_float16(static_cast<float>(value)), bits);
    }
  }
}

TEST(Convert, EveryTypeComesBackFromFloat64) {
  for (const DataType type : all_data_types()) {
    if (bit_width(type) > 16 || bit_width(type) == 0) continue;
    const Array codes = golden::conversion_inputs(type);
    const Array back = convert(convert(codes, DataType::kFloat64), type);
    for (int64_t i = 0; i < codes.size(); ++i) {
      if (std::isnan(codes.get_double(i))) continue;
      ASSERT_EQ(codes.element_bits(i), back.element_bits(i)) << name_of(type) << " " << i;
    }
  }
}

Array random_elements(DataType type, int64_t count) {
  Array array = Array::uninitialized(type, {count});
  golden::Random random(7);
  std::byte* bytes = array.mutable_data();
  for (size_t i = 0; i < array.bytes().size(); ++i) {
    bytes[i] = static_cast<std::byte>(random.next()) & std::byte(type == DataType::kBool ? 1 : 255);
  }
  return array;
}

Array element(const Array& array, int64_t index) {
  const uint64_t bits = array.element_bits(index);
  if (is_packed(array.dtype())) {
    return pack(Array::of<uint8_t>({1}, {static_cast<uint8_t>(bits)}), array.dtype());
  }
  return Array::view(array.dtype(), {1}, &bits, nullptr).clone();
}

TEST(Convert, OneElementAndManyGiveTheSame) {
  // Large enough for tables, blocks and several threads.
  constexpr int64_t kCount = 700'001;
  for (const DataType from : all_data_types()) {
    if (from == DataType::kString || kind_of(from) == Kind::kComplex) continue;
    const Array array = random_elements(from, kCount);
    for (const DataType to : {DataType::kFloat64, DataType::kFloat8E5M2, DataType::kInt4}) {
      const Array result = convert(array, to);
      ASSERT_EQ(result.shape(), array.shape());
      for (int64_t i = 0; i < kCount; i += i % 2 == 0 ? 501 : 1000) {
        ASSERT_EQ(result.element_bits(i), convert(element(array, i), to).element_bits(0))
            << name_of(from) << " -> " << name_of(to) << " at " << i;
      }
    }
  }
}

TEST(Convert, TheNumberOfThreadsDoesNotMatter) {
  Array array = Array::uninitialized(DataType::kFloat32, {1 << 20});
  golden::Random random(3);
  auto* bits = reinterpret_cast<uint32_t*>(array.mutable_data());
  for (int64_t i = 0; i < array.size(); ++i) bits[i] = static_cast<uint32_t>(random.next());
  set_parallelism(1);
  const Array alone = convert(array, DataType::kBfloat16);
  set_parallelism(4);
  const Array together = convert(array, DataType::kBfloat16);
  set_parallelism(0);
  EXPECT_TRUE(bitwise_equal(alone, together));
}

TEST(Convert, ReadsStridedArraysInOrder) {
  const Array matrix = Array::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const std::vector<int64_t> swap = {1, 0};
  const Array result = convert(matrix.transposed(swap), DataType::kInt32);
  EXPECT_TRUE(bitwise_equal(result, Array::of<int32_t>({3, 2}, {1, 4, 2, 5, 3, 6})));
}

TEST(Convert, ComplexKeepsTheRealPart) {
  const Array parts = Array::of<double>({4}, {1.5, 7.0, 0.0, 2.0});
  const Array complex = Array::view(DataType::kComplex128, {2}, parts.data(), nullptr);
  EXPECT_TRUE(
      bitwise_equal(convert(complex, DataType::kFloat32), Array::of<float>({2}, {1.5f, 0.0f})));
  EXPECT_TRUE(bitwise_equal(convert(complex, DataType::kBool), Array::of<bool>({2}, {true, true})));
  const Array single = convert(complex, DataType::kComplex64);
  const Array expected = Array::of<float>({4}, {1.5f, 7.0f, 0.0f, 2.0f});
  EXPECT_TRUE(
      bitwise_equal(single, Array::view(DataType::kComplex64, {2}, expected.data(), nullptr)));
}

TEST(Convert, TheSameTypeIsTheSameArray) {
  const Array array = Array::of<float>({2}, {1, 2});
  EXPECT_EQ(convert(array, DataType::kFloat32).data(), array.data());
}

TEST(Convert, RefusesStringsAndUnknownTypesByName) {
  const Array texts = Array::from_strings({1}, {"1.5"});
  try {
    convert(texts, DataType::kFloat32);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot convert elements of type string to type float32");
  }
  try {
    convert(Array::of<float>({1}, {1}), static_cast<DataType>(99));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot convert elements of type float32 to type number 99");
  }
}

TEST(Convert, IntegersSurviveTheWayThroughInt64) {
  EXPECT_EQ(decode_int64(DataType::kInt64, static_cast<uint64_t>(INT64_MIN)), INT64_MIN);
  EXPECT_EQ(decode_int64(DataType::kUint64, ~uint64_t{0}), -1);
  EXPECT_EQ(decode_int64(DataType::kInt4, 0x8), -8);
  EXPECT_EQ(decode_int64(DataType::kFloat32, std::bit_cast<uint32_t>(-2.9f)), -2);
}

TEST(Packing, PutsTheFirstElementIntoTheLowBits) {
  const Array nibbles = pack(Array::of<uint8_t>({3}, {0x1, 0x2, 0xf}), DataType::kUint4);
  ASSERT_EQ(nibbles.bytes().size(), 2u);
  EXPECT_EQ(nibbles.bytes()[0], std::byte{0x21});
  EXPECT_EQ(nibbles.bytes()[1], std::byte{0x0f});

  const Array pairs = pack(Array::of<int8_t>({5}, {1, -2, -1, 0, 1}), DataType::kInt2);
  ASSERT_EQ(pairs.bytes().size(), 2u);
  EXPECT_EQ(pairs.bytes()[0], std::byte{0b00'11'10'01});
  EXPECT_EQ(pairs.bytes()[1], std::byte{0b01});
  EXPECT_TRUE(bitwise_equal(unpack(pairs), Array::of<int8_t>({5}, {1, -2, -1, 0, 1})));
}

TEST(Packing, SixBitElementsCrossBytes) {
  // The layout that onnx.proto gives for float6: x0 | x1 << 6, x1 >> 2 | x2 << 4, x2 >> 4 | x3
  // << 2.
  const Array packed =
      pack(Array::of<uint8_t>({5}, {0x01, 0x3f, 0x2a, 0x15, 0x3e}), DataType::kFloat6E2M3);
  ASSERT_EQ(packed.bytes().size(), 4u);
  EXPECT_EQ(packed.bytes()[0], std::byte{0x01 | (0x3 << 6)});
  EXPECT_EQ(packed.bytes()[1], std::byte{(0x3f >> 2) | ((0x2a & 0xf) << 4)});
  EXPECT_EQ(packed.bytes()[2], std::byte{(0x2a >> 4) | (0x15 << 2)});
  EXPECT_EQ(packed.bytes()[3], std::byte{0x3e});
  EXPECT_TRUE(
      bitwise_equal(unpack(packed), Array::of<uint8_t>({5}, {0x01, 0x3f, 0x2a, 0x15, 0x3e})));
}

TEST(Packing, KeepsTheShape) {
  const Array array = Array::of<int8_t>({2, 2}, {1, 2, 3, -4});
  const Array packed = pack(array, DataType::kInt4);
  EXPECT_EQ(packed.shape(), (Shape{2, 2}));
  EXPECT_TRUE(bitwise_equal(unpack(packed), array));
}

}  // namespace
}  // namespace polygraphy
