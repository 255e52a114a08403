#include "formats/yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "formats/yaml_reader.h"
#include "formats/yaml_writer.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

std::string failure(std::string_view text) {
  try {
    read_yaml(text, "f.yaml");
  } catch (const FormatError& error) {
    return error.what();
  }
  return "no error";
}

YamlValue text_value(std::string text) {
  return YamlValue(std::move(text));
}

std::string written(YamlValue value) {
  const YamlValue document(YamlValue::Map{{"k", std::move(value)}});
  return yaml_text({&document, 1});
}

// Texts as PyYAML 6 writes them.
TEST(Yaml, TextsAreQuotedWhereTheyWouldBeSomethingElse) {
  EXPECT_EQ(written(text_value("plain text")), "k: plain text\n");
  EXPECT_EQ(written(text_value("")), "k: ''\n");
  for (const std::string text : {"yes", "null", "~", "1.5", "1e+3", "1:30", "0x1F", "0b1", "017",
                                 "2001-01-01", "<<", "=", ".inf", "a: b", "*x", " x", "- a"}) {
    const bool plain = text == "1e+3";  // YAML 1.1: no point, no float
    EXPECT_EQ(written(text_value(text)), plain ? "k: " + text + "\n" : "k: '" + text + "'\n");
  }
  EXPECT_EQ(written(text_value("it's: so")), "k: 'it''s: so'\n");
  EXPECT_EQ(written(text_value("a\nb\n")), "k: 'a\n\n  b\n\n  '\n");
  EXPECT_EQ(written(text_value("é☃\x01")), "k: \"\\xE9\\u2603\\x01\"\n");
}

TEST(Yaml, LongTextsAreFolded) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "word ";
  EXPECT_EQ(written(text_value(text)),
            "k: 'word word word word word word word word word word word word word word word word\n"
            "  word word word word word word word word word word word word word word '\n");
}

TEST(Yaml, NumbersAreWrittenAsPyYamlDoes) {
  EXPECT_EQ(written(YamlValue(int64_t{-7})), "k: -7\n");
  EXPECT_EQ(written(YamlValue(1.0)), "k: 1.0\n");
  EXPECT_EQ(written(YamlValue(1e-5)), "k: 1.0e-05\n");
  EXPECT_EQ(written(YamlValue(1.5e20)), "k: 1.5e+20\n");
  EXPECT_EQ(written(YamlValue(-std::numeric_limits<double>::infinity())), "k: -.inf\n");
  EXPECT_EQ(written(YamlValue(std::nan(""))), "k: .nan\n");
  EXPECT_EQ(written(YamlValue(true)), "k: true\n");
  EXPECT_EQ(written({}), "k: null\n");
}

TEST(Yaml, ListsAndMapsAreBlocks) {
  const YamlValue number(int64_t{1});
  const YamlValue list(YamlValue::List{number, number});
  const YamlValue map(
      YamlValue::Map{{"inner", list}, {"true", number}, {"", YamlValue(YamlValue::Map{})}});
  EXPECT_EQ(written(YamlValue(YamlValue::List{list, map, YamlValue(YamlValue::List{})})),
            "k:\n- - 1\n  - 1\n- inner:\n  - 1\n  - 1\n  'true': 1\n  '': {}\n- []\n");
}

TEST(Yaml, DocumentsHaveALineBetweenThem) {
  const YamlValue map(YamlValue::Map{{"a", YamlValue(int64_t{1})}});
  const YamlValue two[] = {map, map};
  EXPECT_EQ(yaml_text(two), "a: 1\n---\na: 1\n");
  EXPECT_EQ(yaml_text({}), "");
  EXPECT_EQ(read_yaml("a: 1\n---\na: 1\n", "f").size(), 2u);
  EXPECT_TRUE(read_yaml("", "f").empty());
  EXPECT_TRUE(read_yaml("# nothing\n", "f").empty());
}

TEST(Yaml, ScalarsHaveTheTypesOfYaml11) {
  const auto documents = read_yaml(
      "[yes, Off, 12, -1_000, 0x1f, 017, 0b101, 1:30, 1.5, 1e3, 1.0e+3, .inf, ~, null, 'yes', "
      "!!str 1, !!float 2, -9223372036854775808, 1.0e+999]",
      "f");
  const auto& items = *documents.at(0).list();
  EXPECT_EQ(std::get<bool>(items[0].data), true);
  EXPECT_EQ(std::get<bool>(items[1].data), false);
  EXPECT_EQ(std::get<int64_t>(items[2].data), 12);
  EXPECT_EQ(std::get<int64_t>(items[3].data), -1000);
  EXPECT_EQ(std::get<int64_t>(items[4].data), 31);
  EXPECT_EQ(std::get<int64_t>(items[5].data), 15);
  EXPECT_EQ(std::get<int64_t>(items[6].data), 5);
  EXPECT_EQ(std::get<int64_t>(items[7].data), 90);
  EXPECT_EQ(std::get<double>(items[8].data), 1.5);
  EXPECT_EQ(*items[9].text(), "1e3");
  EXPECT_EQ(std::get<double>(items[10].data), 1000);
  EXPECT_EQ(std::get<double>(items[11].data), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(items[12].is_null());
  EXPECT_TRUE(items[13].is_null());
  EXPECT_EQ(*items[14].text(), "yes");
  EXPECT_EQ(*items[15].text(), "1");
  EXPECT_EQ(std::get<double>(items[16].data), 2);
  EXPECT_EQ(std::get<int64_t>(items[17].data), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(std::get<double>(items[18].data), std::numeric_limits<double>::infinity());
}

TEST(Yaml, AliasesAreCopies) {
  const auto documents = read_yaml("x: &a\n- 1\ny: *a\nz: !!python/tuple\n- 2\n", "f");
  EXPECT_EQ(written(*documents.at(0).find("y")), "k:\n- 1\n");
  EXPECT_EQ(documents.at(0).find("y")->line, 1u);
  EXPECT_EQ(written(*documents.at(0).find("z")), "k:\n- 2\n");
  EXPECT_EQ(failure("*a"), "f.yaml, line 1: the alias *a has no anchor &a before it");
}

TEST(Yaml, RefusesWhatItDoesNotUnderstand) {
  EXPECT_THAT(failure("a: 1\nb: ["), HasSubstr("f.yaml, line 3: invalid YAML: "));
  EXPECT_THAT(failure("a: \"\x01\""), HasSubstr("invalid YAML"));
  EXPECT_EQ(failure("a: 1\n1: 2"), "f.yaml, line 2: a key is an integer, but keys must be texts");
  EXPECT_EQ(failure("a: 1\na: 2"), "f.yaml, line 2: the key 'a' appears twice");
  EXPECT_THAT(failure("a: !!python/object/apply:os.system [x]"),
              HasSubstr("line 1: the tag tag:yaml.org,2002:python/object/apply:os.system"));
  EXPECT_THAT(failure("2001-01-01"), HasSubstr("the date '2001-01-01' must be quoted"));
  EXPECT_THAT(failure("a: 99999999999999999999"), HasSubstr("line 1: the number '9999"));
  EXPECT_THAT(failure("{<<: a}"), HasSubstr("'<<' must be quoted"));
  EXPECT_THAT(failure("!!int a"), HasSubstr("'a' is not a value of the type int"));
}

TEST(Yaml, HasLimits) {
  EXPECT_EQ(failure(std::string(100, '[') + std::string(100, ']')), "no error");
  EXPECT_EQ(failure(std::string(102, '[') + std::string(102, ']')),
            "f.yaml, line 1: values are nested more than 100 levels deep");
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) bomb += (k ? ", " : "") + last;
    bomb += "]\n";
  }
  EXPECT_THAT(failure(bomb), HasSubstr("anchors and aliases repeat more than 100,000 values"));
  std::string anchored;
  for (int i = 0; i < 90; ++i) anchored += "&a" + std::to_string(i) + " [";
  for (int i = 0; i < 2000; ++i) anchored += "1,";
  EXPECT_THAT(failure(anchored + std::string(90, ']')),
              HasSubstr("anchors and aliases repeat more than 100,000 values"));
  std::string list = "[";
  for (int i = 0; i < 4'000'000; ++i) list += "1,";
  EXPECT_EQ(failure(list + "]"), "f.yaml, line 1: more than 4 million values");
  EXPECT_EQ(failure(std::string((64 << 20) + 1, ' ')), "f.yaml: the file is larger than 64 MiB");
}

TEST(Yaml, WhatIsReadIsWrittenTheSame) {
  const std::string text =
      "name: toyPlugin\nop: CustomToyPlugin\ninstances:\n- inputs:\n  - i1\n  outputs:\n  - o2\n"
      "  - o1\n  attributes:\n    ToyX: 2\n    l: []\n    f: 1.0e-05\n    'yes': '1'\n";
  EXPECT_EQ(yaml_text(read_yaml(text, "f")), text);
}

}  // namespace
}  // namespace polygraphy
