#include "formats/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace polygraphy {
namespace {

std::string failure(std::string_view bytes) {
  try {
    json_text(bytes, "in.json");
  } catch (const FormatError& error) {
    return error.what();
  }
  return "none";
}

TEST(JsonText, MayBeginWithAMark) {
  EXPECT_EQ(json_text("\xef\xbb\xbf{}", ""), "{}");
  EXPECT_EQ(json_text("{}", ""), "{}");
  EXPECT_EQ(json_text("", ""), "");
}

TEST(JsonText, IsUtf8) {
  using namespace std::string_view_literals;
  for (const std::string_view bytes :
       {"\xff\xfe{\0}\0"sv, "\xfe\xff\0{\0}"sv, "{\0}\0"sv, "\0{\0}"sv, "\xff\xfe\0\0{\0\0\0"sv}) {
    EXPECT_EQ(failure(bytes), "in.json: the text is UTF-16 or UTF-32, but JSON must be UTF-8.");
  }
  EXPECT_EQ(failure("{\"x\": 1}"), "none");
}

}  // namespace
}  // namespace polygraphy
