#include "base/ordered_map.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

std::string order(const OrderedMap<int>& map) {
  std::string text;
  for (const auto& [key, value] : map) text += key + "=" + std::to_string(value) + " ";
  return text;
}

TEST(OrderedMap, KeepsTheOrderOfInsertion) {
  const OrderedMap<int> map = {{"z", 1}, {"a", 2}, {"m", 3}};
  EXPECT_EQ(order(map), "z=1 a=2 m=3 ");
  EXPECT_EQ(map.at_index(1).first, "a");
}

TEST(OrderedMap, AReplacedValueKeepsItsPlace) {
  OrderedMap<int> map = {{"z", 1}, {"a", 2}};
  map.set("z", 7);
  map["a"] += 1;
  EXPECT_EQ(order(map), "z=7 a=3 ");
  EXPECT_EQ(map.size(), 2u);
}

TEST(OrderedMap, FindsAndMakesEntries) {
  OrderedMap<int> map;
  EXPECT_EQ(map.find("x"), nullptr);
  EXPECT_FALSE(map.contains("x"));
  EXPECT_EQ(map["x"], 0);
  ASSERT_NE(map.find("x"), nullptr);
  *map.find("x") = 5;
  EXPECT_EQ(order(map), "x=5 ");
  map.clear();
  EXPECT_TRUE(map.empty());
  EXPECT_FALSE(map.contains("x"));
}

}  // namespace
}  // namespace polygraphy
