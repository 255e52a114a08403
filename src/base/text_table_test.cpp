#include "base/text_table.h"

#include <gmock/gmock.h>

namespace polygraphy {
namespace {

using testing::ElementsAre;

TEST(TextTable, TextsToTheLeftNumbersToTheRight) {
  EXPECT_THAT(table_lines({{"name", "n"}, {"é", "100", "x"}, {"alone"}}),
              ElementsAre("name   n", "é      100  x", "alone"));
  EXPECT_THAT(table_lines({{"name", "n"}, {"é", "100", "x"}, {"alone"}}, 1),
              ElementsAre("name     n", "é      100  x", "alone"));
  EXPECT_THAT(table_lines({}), ElementsAre());
}

}  // namespace
}  // namespace polygraphy
