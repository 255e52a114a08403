#include "polygraphy/comparison/run/output_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(OutputGroupsTest, GroupsFitTheBudgetInOrder) {
  OutputGroups groups({{"a", 40}, {"b", 60}, {"c", 1}, {"d", 500}, {"e", 0}, {"f", 100}}, 100);
  EXPECT_THAT(groups.next(), ElementsAre("a", "b"));
  EXPECT_THAT(groups.next(), ElementsAre("c"));
  EXPECT_THAT(groups.next(), ElementsAre("d"));
  EXPECT_THAT(groups.next(), ElementsAre("e", "f"));
  EXPECT_THAT(groups.next(), IsEmpty());
  EXPECT_EQ(groups.known_bytes(), 701U);
  EXPECT_EQ(groups.largest(), 500U);
}

TEST(OutputGroupsTest, TheBudgetFollowsWhatIsUsed) {
  std::vector<OutputSize> outputs;
  for (int i = 0; i < 100; ++i) outputs.push_back({"t" + std::to_string(i), 10});
  OutputGroups groups(outputs, 100);
  EXPECT_EQ(groups.next().size(), 10U);
  groups.adapt(100, 1000);
  EXPECT_EQ(groups.next().size(), 20U);
  groups.adapt(1000, 1000);
  EXPECT_EQ(groups.next().size(), 17U);
  groups.adapt(850, 1000);
  EXPECT_EQ(groups.next().size(), 17U);
}

TEST(OutputGroupsTest, WhatIsMeasuredDecidesAboutTheRest) {
  std::vector<OutputSize> outputs;
  for (int i = 0; i < 30; ++i) outputs.push_back({"t" + std::to_string(i), std::nullopt});
  OutputGroups groups(outputs, 800);
  const auto first = groups.next();
  EXPECT_EQ(first.size(), 8U);
  for (const auto& name : first) groups.measured(name, 40);
  EXPECT_EQ(groups.next().size(), 20U);
  groups.measured("t9", 400);
  EXPECT_EQ(groups.next().size(), 2U);
}

}  // namespace
}  // namespace polygraphy
