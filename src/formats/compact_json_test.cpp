#include "formats/compact_json.h"

#include <gtest/gtest.h>

#include <vector>

namespace polygraphy {
namespace {

TEST(CompactJson, SeparatesValues) {
  CompactJson json;
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
  EXPECT_EQ(json.str(), R"({"shape":[1,-2],"rows":[[],0.5,null]})");
}

TEST(CompactJson, EscapesTexts) {
  CompactJson json;
  json.begin_object();
  json.key("a\"b");
  json.text("é\n");
  json.end_object();
  EXPECT_EQ(json.str(), R"({"a\"b":"\u00e9\n"})");
}

}  // namespace
}  // namespace polygraphy
