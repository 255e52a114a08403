#include <gtest/gtest.h>

#include <cstring>

#include "base/arrays/float_text.h"
#include "base/arrays/numpy_text.h"
#include "base/arrays/py_repr.h"
#include "base/arrays/testdata/golden_inputs.h"

namespace polygraphy {
namespace {

using golden::Random;

std::vector<double> random_floats(uint64_t seed) {
  Random random(seed);
  std::vector<double> values;
  for (uint64_t kind = 0; kind < 8; ++kind) {
    for (const double value : golden::random_doubles(random, 500, kind, true))
      values.push_back(value);
  }
  return values;
}

template <typename Write>
std::string written(const std::vector<double>& values, Write write) {
  std::string text;
  for (const double value : values) {
    if (!text.empty()) text += '\n';
    text += write(value);
  }
  return text;
}

std::string from_hex(const std::string& digits) {
  std::string text;
  for (size_t i = 0; digits != "-" && i < digits.size(); i += 2) {
    text += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return text;
}

TEST(PyRepr, AgreesWithPython) {
  int facts = 0;
  for (const std::string& line : golden::lines("reprs.txt")) {
    const size_t first = line.find(' ');
    const std::string kind = line.substr(0, first);
    const std::string rest = line.substr(first + 1);
    const size_t equals = rest.find(" = ");
    const std::string expected = equals == std::string::npos ? rest : rest.substr(equals + 3);
    ++facts;
    if (kind == "float") {
      EXPECT_EQ(py_float_repr(std::stod(rest.substr(0, equals))), expected);
    } else if (kind == "floats") {
      EXPECT_EQ(golden::crc(written(random_floats(1), py_float_repr)), expected);
    } else if (kind == "format_g") {
      const int digits = std::stoi(rest);
      const auto write = [&](double value) { return format_g(value, digits); };
      EXPECT_EQ(golden::crc(written(random_floats(2), write)), rest.substr(rest.find(' ') + 1))
          << "%." << digits << "g";
    } else if (kind == "singles") {
      const auto write = [](double value) { return py_float32_repr(static_cast<float>(value)); };
      EXPECT_EQ(golden::crc(written(random_floats(3), write)), expected);
    } else if (kind == "halves") {
      std::string all;
      for (uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto code = static_cast<uint16_t>(bits);
        all += numpy_str(Array::view(DataType::kFloat16, {}, &code, nullptr)) + '\n';
      }
      all.pop_back();
      EXPECT_EQ(golden::crc(all), expected);
    } else if (kind == "text") {
      EXPECT_EQ(py_str_repr(from_hex(rest.substr(0, equals))), expected);
    } else if (kind == "every_code_point") {
      std::string all;
      for (char32_t c = 0; c < 0x110000; ++c) {
        if (c >= 0xd800 && c < 0xe000) continue;
        const auto tail = [&](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3f)); };
        if (c < 0x80) {
          all += static_cast<char>(c);
        } else if (c < 0x800) {
          all += {static_cast<char>(0xc0 | c >> 6), tail(0)};
        } else if (c < 0x10000) {
          all += {static_cast<char>(0xe0 | c >> 12), tail(6), tail(0)};
        } else {
          all += {static_cast<char>(0xf0 | c >> 18), tail(12), tail(6), tail(0)};
        }
      }
      EXPECT_EQ(golden::crc(py_str_repr(all)), expected);
    } else {
      ADD_FAILURE() << "unknown line: " << line;
    }
  }
  EXPECT_GT(facts, 50);
}

TEST(PyRepr, ShowsBytesThatAreNotUtf8AsPythonsSurrogates) {
  EXPECT_EQ(py_str_repr("a\xff"), "'a\\udcff'");
  EXPECT_EQ(py_str_repr("\xe6\x97"), "'\\udce6\\udc97'");
}

TEST(PyRepr, ListsAndTuples) {
  const std::vector<std::string> texts = {"a", "it's"};
  const std::vector<int64_t> one = {3}, two = {1, -2}, none;
  EXPECT_EQ(py_list_repr(texts), "['a', \"it's\"]");
  EXPECT_EQ(py_list_repr(two), "[1, -2]");
  EXPECT_EQ(py_list_repr(none), "[]");
  EXPECT_EQ(py_tuple_repr(none), "()");
  EXPECT_EQ(py_tuple_repr(one), "(3,)");
  EXPECT_EQ(py_tuple_repr(two), "(1, -2)");
}

TEST(FormatG, IsPythonsForSpecialValuesToo) {
  EXPECT_EQ(format_g(-std::numeric_limits<double>::quiet_NaN(), 5), "nan");
  EXPECT_EQ(format_g(-std::numeric_limits<double>::infinity(), 5), "-inf");
  EXPECT_EQ(format_g(0.000123456, 3), "0.000123");
  EXPECT_EQ(format_g(123456789.0, 5), "1.2346e+08");
}

TEST(FloatText, PowersOfTwoRoundToTheSideThatNumpyChooses) {
  // 2**-44 is 5.684341886080801486968994140625e-14; its lower neighbour is only half as far as its
  // upper one. The shortest digits still identify it.
  const text::Scientific parts = text::scientific(0x1p-44, text::Precision::kDouble, 0, 17);
  EXPECT_EQ(parts.integer + '.' + parts.fraction, "5.684341886080802");
  EXPECT_EQ(parts.exponent, -14);
}

TEST(FloatText, ShortestDigitsComeBackToTheSameNumber) {
  Random random(11);
  for (int i = 0; i < 20'000; ++i) {
    const auto bits = static_cast<uint32_t>(random.next());
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!(value - value == 0)) continue;
    EXPECT_EQ(std::stod(py_float_repr(static_cast<double>(value))), static_cast<double>(value));
    EXPECT_EQ(static_cast<float>(std::strtod(py_float32_repr(value).c_str(), nullptr)), value);
  }
}

}  // namespace
}  // namespace polygraphy
