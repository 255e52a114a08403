#include "polygraphy/models/plugin_patterns/replacement_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kTwo =
    "name: a\nop: A\ninstances:\n- inputs:\n  - x\n  outputs:\n  - y\n  attributes:\n    k: 1\n"
    "  note: kept\n---\nname: b\nop: B\ninstances:\n- inputs: []\n  outputs:\n  - z\n";

std::string failure(std::string_view text) {
  try {
    read_config(text, "c.yaml");
  } catch (const FormatError& error) {
    EXPECT_EQ(error.code(), kNotAPluginConfig);
    return error.what();
  }
  return "no error";
}

TEST(ReplacementConfig, IsReadAndWrittenTheSame) {
  const ReplacementConfig config = read_config(kTwo, "c.yaml");
  ASSERT_EQ(config.size(), 2u);
  EXPECT_EQ(config[0].plugin, "a");
  EXPECT_EQ(config[0].op, "A");
  ASSERT_EQ(config[0].instances.size(), 1u);
  EXPECT_THAT(config[0].instances[0].inputs, ElementsAre("x"));
  EXPECT_THAT(config[0].instances[0].outputs, ElementsAre("y"));
  EXPECT_EQ(config[0].instances[0].attributes.size(), 1u);
  EXPECT_EQ(config[1].instances[0].written.line, 15u);
  EXPECT_EQ(config_text(config), kTwo);
}

TEST(ReplacementConfig, EmptyFilesAndPluginsWithoutInstancesAreNothing) {
  EXPECT_TRUE(read_config("", "c").empty());
  EXPECT_TRUE(read_config("---\n", "c").empty());
  EXPECT_EQ(config_text(read_config("name: a\nop: A\ninstances: []\n", "c")), "");
}

TEST(ReplacementConfig, ErrorsNameLineAndKey) {
  EXPECT_EQ(failure("1"), "c.yaml, line 1: a document is an integer, not a map");
  EXPECT_EQ(failure("\nop: A"), "c.yaml, line 2: the key 'name' is missing, but a text is needed");
  EXPECT_EQ(failure("name: 1\nop: A"),
            "c.yaml, line 1: the key 'name' has an integer, but a text is needed");
  EXPECT_EQ(failure("name: a\nop: ''"), "c.yaml, line 1: the key 'op' has an empty text");
  EXPECT_EQ(failure("name: a\nop: A\ninstances: 3"),
            "c.yaml, line 3: the key 'instances' has an integer, but a list is needed");
  EXPECT_EQ(failure("name: a\nop: A\ninstances:\n- 3"),
            "c.yaml, line 4: an instance is an integer, not a map");
  EXPECT_THAT(failure("name: a\nop: A\ninstances:\n- inputs: [1]\n  outputs: [y]"),
              HasSubstr("line 4: the list 'inputs' holds an integer, but the name"));
  EXPECT_THAT(failure("name: a\nop: A\ninstances:\n- inputs: ['']\n  outputs: [y]"),
              HasSubstr("line 4: the list 'inputs' holds an empty text, but the name"));
  EXPECT_THAT(
      failure("name: a\nop: A\ninstances:\n- inputs: [x]\n  outputs: [y]\n  attributes: [1]"),
      HasSubstr("line 4: the key 'attributes' has a list, but a map is needed"));
}

}  // namespace
}  // namespace polygraphy
