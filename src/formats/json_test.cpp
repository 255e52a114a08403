#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "formats/json_reader.h"
#include "formats/json_writer.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

std::string failure(std::string_view text) {
  try {
    JsonReader json(text, "f.json");
    json.skip_value();
    json.finish();
  } catch (const FormatError& error) {
    return error.what();
  }
  return "no error";
}

TEST(JsonReader, WalksThroughContainers) {
  JsonReader json(R"( {"a" : [1, -2.5e1, [], {}], "b": null, "c": true, "": "x"} )", "f");
  std::string key, seen;
  json.enter_object();
  while (json.next_key(key)) {
    seen += key + ";";
    if (key == "a") {
      json.enter_array();
      ASSERT_TRUE(json.next_element());
      EXPECT_EQ(json.read_integer(), 1);
      ASSERT_TRUE(json.next_element());
      EXPECT_EQ(json.read_number(), -25);
      ASSERT_TRUE(json.next_element());
      json.skip_value();
      ASSERT_TRUE(json.next_element());
      EXPECT_EQ(json.peek(), JsonReader::Type::kObject);
      json.skip_value();
      EXPECT_FALSE(json.next_element());
    } else if (key == "b") {
      json.read_null();
    } else if (key == "c") {
      EXPECT_TRUE(json.read_bool());
    } else {
      EXPECT_EQ(json.read_string(), "x");
    }
  }
  json.finish();
  EXPECT_EQ(seen, "a;b;c;;");
}

double number(std::string_view text) {
  return JsonReader(text, "f").read_number();
}

TEST(JsonReader, NumbersOfPythonsDialect) {
  EXPECT_EQ(number("0"), 0);
  EXPECT_EQ(number("-0.5E-2"), -0.005);
  EXPECT_EQ(number("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(number("-1e-400"), 0);
  EXPECT_EQ(number("-Infinity"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(number("NaN")));
}

TEST(JsonReader, Strings) {
  const auto string = [](std::string_view text) { return JsonReader(text, "f").read_string(); };
  EXPECT_EQ(string(R"("a\"\\\/\b\f\n\r\t")"), "a\"\\/\b\f\n\r\t");
  EXPECT_EQ(string(R"("\u00e9\u65E5\ud83d\ude00")"), "é日😀");
  EXPECT_EQ(string(R"("\ud800x")"), "\xED\xA0\x80x");
  EXPECT_EQ(string(R"("\udcff")"), "\xFF");
  EXPECT_EQ(string("\"é\""), "é");
  EXPECT_EQ(JsonReader(R"("a\\\"b" )", "f").read_raw_string().raw, R"(a\\\"b)");
}

TEST(JsonReader, SaysWhereTheTextIsWrong) {
  EXPECT_EQ(failure("{\n  \"a\": [1, 2\n}"),
            "f.json: line 3 (byte 15): expected ',' or ']' in an array, found '}'.");
  EXPECT_EQ(failure("{\"a\" 1}"), "f.json: line 1 (byte 5): expected ':' after a key, found '1'.");
  EXPECT_EQ(failure("{a: 1}"), "f.json: line 1 (byte 1): expected a key in quotes, found 'a'.");
  EXPECT_EQ(failure("[1,]"), "f.json: line 1 (byte 3): expected a JSON value, found ']'.");
  EXPECT_EQ(failure(""),
            "f.json: line 1 (byte 0): expected a JSON value, found the end of the file.");
  EXPECT_EQ(failure("\"abc"), "f.json: line 1 (byte 0): a string that starts here does not end.");
  EXPECT_EQ(failure("\"abc\\\""),
            "f.json: line 1 (byte 0): a string that starts here does not end.");
  EXPECT_EQ(failure("nul"), "f.json: line 1 (byte 0): expected null, found 'n'.");
  EXPECT_EQ(failure("01"), "f.json: line 1 (byte 1): expected nothing more, found '1'.");
  EXPECT_EQ(failure("-"), "f.json: line 1 (byte 1): expected a number, found the end of the file.");
  EXPECT_EQ(failure("1."), "f.json: line 1 (byte 2): expected a digit, found the end of the file.");
  EXPECT_EQ(failure("\x7F"), "f.json: line 1 (byte 0): expected a JSON value, found byte 127.");
  EXPECT_EQ(failure("{\"\\u12G4\": 1}"),
            "f.json: line 1 (byte 4): expected four hexadecimal digits after \\u.");
  EXPECT_EQ(failure("{\"\\x\": 1}"), "f.json: line 1 (byte 2): unknown escape in a string.");
  EXPECT_EQ(failure("{\"\n\": 1}"),
            "f.json: line 1 (byte 2): a control character in a string must be escaped.");
}

TEST(JsonReader, DepthIsLimitedWithoutRecursion) {
  EXPECT_THAT(failure(std::string(1000000, '[')), HasSubstr("nested too deeply"));
  EXPECT_EQ(failure(std::string(200, '[') + std::string(200, ']')), "no error");
}

TEST(JsonReader, IntegersMustBeWhole) {
  EXPECT_THROW(JsonReader("1.5", "f").read_integer(), FormatError);
  EXPECT_THROW(JsonReader("9223372036854775808", "f").read_integer(), FormatError);
  EXPECT_EQ(JsonReader("-9223372036854775808", "f").read_integer(),
            std::numeric_limits<int64_t>::min());
}

TEST(JsonWriter, WritesAsPythonDoes) {
  StringSink sink;
  JsonWriter json(sink);
  json.begin_object();
  json.key("lst");
  json.begin_array();
  json.number(0.1);
  json.number(1e22);
  json.number(3);
  json.number(std::nan(""));
  json.number(-INFINITY);
  json.integer(7);
  json.boolean(true);
  json.null();
  json.begin_object();
  json.end_object();
  json.end_array();
  json.key("é");
  json.begin_array();
  json.end_array();
  json.end_object();
  EXPECT_EQ(sink.text(), R"({
    "lst": [
        0.1,
        1e+22,
        3.0,
        NaN,
        -Infinity,
        7,
        true,
        null,
        {}
    ],
    "\u00e9": []
})");
}

TEST(JsonWriter, WritesCompactly) {
  StringSink sink;
  JsonWriter json(sink, JsonStyle::kCompact);
  json.begin_object();
  json.key("shape");
  json.list(std::vector<int>{1, -2}, [&json](int size) { json.integer(size); });
  json.key("rows");
  json.begin_array();
  json.begin_array();
  json.end_array();
  json.literal("0.5");
  json.null();
  json.end_array();
  json.end_object();
  EXPECT_EQ(sink.text(), R"({"shape":[1,-2],"rows":[[],0.5,null]})");
}

TEST(JsonWriter, EscapesWhatIsNotAscii) {
  EXPECT_EQ(json_quoted("a\"\\/\b\f\n\r\t\x01\x7f"), R"("a\"\\/\b\f\n\r\t\u0001\u007f")");
  EXPECT_EQ(json_quoted("é日😀"), R"("\u00e9\u65e5\ud83d\ude00")");
  EXPECT_EQ(json_quoted("\xFF\xED\xA0\x80"), R"("\udcff\ud800")");
}

TEST(JsonWriter, WhatItQuotesIsReadBack) {
  for (const std::string text : {"plain", "é日😀", "\xFFz", "\xED\xA0\x80", "\"\\\n\x01"}) {
    const std::string quoted = json_quoted(text);
    EXPECT_EQ(JsonReader(quoted, "f").read_string(), text);
  }
}

TEST(JsonWriter, ContinuesInsideAnArray) {
  StringSink inside, sink;
  JsonWriter part = JsonWriter::inside_array(inside, 2);
  part.integer(1);
  part.begin_object();
  part.end_object();
  JsonWriter json(sink);
  json.begin_array();
  json.begin_array();
  json.external_elements();
  sink.write(inside.text());
  json.end_array();
  json.end_array();
  EXPECT_EQ(sink.text(), "[\n    [\n        1,\n        {}\n    ]\n]");
}

TEST(JsonReader, StringsThatSayTheirLengthAreNotLookedThrough) {
  const auto three = [](std::string_view text) -> std::optional<size_t> {
    return text.starts_with("3") ? std::optional<size_t>(3) : std::nullopt;
  };
  const auto first = [&](std::string_view text) {
    return std::string(JsonReader(text, "f", 0, three).read_raw_string().raw);
  };
  EXPECT_EQ(first(R"("3\"","x")"), R"(3\")") << "taken at its word";
  EXPECT_EQ(first(R"("3abcdef","x")"), "3abcdef") << "no quote there";
  EXPECT_EQ(first(R"("3a","x")"), "3a");
  EXPECT_EQ(first(R"("4\"","x")"), R"(4\")");
  EXPECT_THROW(first(R"("3a)"), FormatError);
}

}  // namespace
}  // namespace polygraphy
