#include "formats/plain_json_writer.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/arrays/convert.h"
#include "base/error.h"
#include "formats/json_reader.h"
#include "formats/plain_json.h"

namespace polygraphy {
namespace {

TEST(PlainJsonWriterTest, WritesListsAsPythonReadsThem) {
  EXPECT_EQ(plain_json({}), "{}\n");
  EXPECT_EQ(plain_json({{"x", Array::of<float>({1, 2}, {1, 0.1F})},
                        {"n", Array::of<int64_t>({3}, {-1, 2, 3})},
                        {"b", Array::of<bool>({}, {true})},
                        {"s", Array::from_strings({1}, {"a\"b"})}}),
            "{\"x\": [[1.0, 0.1]], \"n\": [-1, 2, 3], \"b\": true, \"s\": [\"a\\\"b\"]}\n");
}

TEST(PlainJsonWriterTest, NumbersThatAreNotFiniteAreThosePythonWrites) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(plain_json({{"x", Array::of<double>({4}, {std::numeric_limits<double>::quiet_NaN(),
                                                      kInfinity, -kInfinity, 1e300})}}),
            "{\"x\": [NaN, Infinity, -Infinity, 1e+300]}\n");
}

TEST(PlainJsonWriterTest, TheLargestNumbersKeepTheirDigits) {
  EXPECT_EQ(plain_json({{"u", Array::of<uint64_t>({1}, {~uint64_t{0}})}}),
            "{\"u\": [18446744073709551615]}\n");
  const Array half = convert(Array::of<float>({2}, {0.1F, 1}), DataType::kFloat16);
  EXPECT_EQ(plain_json({{"h", half}}), "{\"h\": [0.099975586, 1.0]}\n");
}

TEST(PlainJsonWriterTest, EmptyDimensionsEndTheLists) {
  EXPECT_EQ(plain_json({{"a", Array::zeros(DataType::kFloat32, {0})},
                        {"b", Array::zeros(DataType::kFloat32, {2, 0, 3})}}),
            "{\"a\": [], \"b\": [[], []]}\n");
}

TEST(PlainJsonWriterTest, WhatIsWrittenIsReadBack) {
  const Array x = Array::of<float>({2, 1, 3}, {1, 2.5F, -0.0F, 1e-30F, 3, 1.17549e-38F});
  const std::string text = plain_json({{"x", x}});
  JsonReader json(text, "text", text.find('['));
  EXPECT_TRUE(bitwise_equal(with_type_of_input(read_plain_array(json), DataType::kFloat32), x))
      << text;
}

TEST(PlainJsonWriterTest, ComplexNumbersHaveNoForm) {
  EXPECT_THROW(plain_json({{"c", Array::zeros(DataType::kComplex64, {1})}}), Error);
}

}  // namespace
}  // namespace polygraphy
