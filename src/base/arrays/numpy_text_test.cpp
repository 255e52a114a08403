#include "base/arrays/numpy_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "base/arrays/convert.h"
#include "base/arrays/testdata/golden_inputs.h"
#include "base/text.h"

namespace polygraphy {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// "values float32 2x3 1.0 -2.5 … = [[…]]": the golden's notation of an array.
Array array_from(const std::vector<std::string_view>& words) {
  Shape shape;
  if (words[2] != "scalar") {
    for (const auto dim : split(words[2], 'x')) shape.push_back(std::stoll(std::string(dim)));
  }
  std::vector<double> values;
  for (size_t i = 3; i < words.size(); ++i) {
    if (!words[i].empty()) values.push_back(std::stod(std::string(words[i])));
  }
  return convert(Array::of<double>(std::move(shape), values), *parse_data_type(words[1]));
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\\') {
      result += "\\\\";
    } else {
      result += c;
    }
  }
  return result;
}

TEST(NumpyStr, AgreesWithNumpyOnHandPickedArrays) {
  int cases = 0;
  for (const std::string& line : golden::lines("numpy_text.txt")) {
    if (!line.starts_with("values ")) continue;
    const size_t equals = line.find(" = ");
    const std::string input = line.substr(0, equals);
    EXPECT_EQ(escaped(numpy_str(array_from(split(input, ' ')))), line.substr(equals + 3)) << input;
    ++cases;
  }
  EXPECT_GT(cases, 40);
}

TEST(NumpyStr, AgreesWithNumpyOnThousandsOfRandomArraysAndOptions) {
  int cases = 0;
  for (const auto& line : golden::words("numpy_text.txt")) {
    if (line[0] != "random") continue;
    const uint64_t first = std::stoull(line[1]);
    for (size_t i = 2; i < line.size(); ++i, ++cases) {
      const uint64_t seed = first + i - 2;
      const golden::PrintCase one = golden::random_print_case(seed);
      const std::string text = numpy_str(one.array, one.options);
      ASSERT_EQ(golden::crc(text), line[i])
          << "seed " << seed << ", " << name_of(one.array.dtype()) << ":\n"
          << text;
    }
  }
  EXPECT_EQ(cases, 4000);
}

TEST(NumpyStr, ShowsTheEdgesOfLargeArrays) {
  std::vector<int32_t> values(2000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int32_t>(i);
  const Array array = Array::of<int32_t>({2000}, values);
  EXPECT_EQ(numpy_str(array), "[   0    1    2 ... 1997 1998 1999]");
  EXPECT_EQ(numpy_str(array, {.edge_items = 1}), "[   0 ... 1999]");
  EXPECT_EQ(numpy_str(array.reshaped({40, 50}), {.edge_items = 1}),
            "[[   0 ...   49]\n ...\n [1950 ... 1999]]");
}

TEST(NumpyStr, NegativeEdgeItemsOrThresholdShowEverything) {
  std::vector<uint8_t> values(1200, 7);
  const Array array = Array::of<uint8_t>({1200}, values);
  EXPECT_EQ(numpy_str(array, {.edge_items = -1, .line_width = -1}).size(), 2400u + 1);
  EXPECT_EQ(numpy_str(array, {.threshold = -1, .line_width = -1}).size(), 2400u + 1);
}

TEST(NumpyStr, LineWidthMinusOneBreaksAtDimensionsOnly) {
  std::vector<float> values(200, 0.25f);
  const Array array = Array::of<float>({2, 100}, values);
  const std::string text = numpy_str(array, {.line_width = -1});
  EXPECT_EQ(split_lines(text).size(), 2u);
  EXPECT_GT(split_lines(numpy_str(array)).size(), 10u);
}

TEST(NumpyStr, QuotesStringsInsideArraysOnly) {
  EXPECT_EQ(numpy_str(Array::from_strings({2, 1}, {"it's", "a\n"})), "[[\"it's\"]\n ['a\\n']]");
  EXPECT_EQ(numpy_str(Array::from_strings({}, {"it's"})), "it's");
}

TEST(NumpyStr, MeasuresCharactersNotBytes) {
  const Array array = Array::from_strings({3}, {"\u65e5\u672c\u8a9e", "\u65e5\u672c\u8a9e", "c"});
  EXPECT_EQ(numpy_str(array, {.line_width = 15}), "['日本語' '日本語'\n 'c']");
}

TEST(NumpyStr, ReadsStridedArrays) {
  const std::vector<int64_t> swap = {1, 0};
  const Array array = Array::of<float>({2, 2}, {1, 2, 3, 4}).transposed(swap);
  EXPECT_EQ(numpy_str(array), "[[1. 3.]\n [2. 4.]]");
}

TEST(NumpyStr, AlignsNanAndInfinityWithTheDigits) {
  const Array array = Array::of<double>({3}, {kNan, -1.0, 999.5});
  EXPECT_EQ(numpy_str(array), "[  nan  -1.  999.5]");
}

TEST(NumpyStr, ManyAxesNeedNoStack) {
  const Array array = Array::of<float>(Shape(20'000, 1), {0.5f});
  const std::string text = numpy_str(array);
  EXPECT_EQ(text, std::string(20'000, '[') + "0.5" + std::string(20'000, ']'));
}

}  // namespace
}  // namespace polygraphy
