#include "polygraphy/data/inputs/peekable_source.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

// Two feeds that cannot be had again.
class Twice : public FeedSource {
 public:
  std::optional<ValueMap> next(const Metadata&) override {
    if (given_ == 2) return std::nullopt;
    return ValueMap{{"x", Array::of<int64_t>({}, {given_++})}};
  }

 private:
  int64_t given_ = 0;
};

int64_t value(const std::optional<ValueMap>& feed) {
  return feed ? feed->find("x")->tensor().get_int64(0) : -1;
}

TEST(PeekableSource, NothingIsLostToThoseWhoLookFirst) {
  PeekableSource feeds(std::make_unique<Twice>());
  EXPECT_EQ(value(feeds.peek({})), 0);
  EXPECT_EQ(value(feeds.peek({})), 0);
  EXPECT_EQ(value(feeds.next({})), 0);
  EXPECT_EQ(value(feeds.next({})), 1);
  EXPECT_EQ(value(feeds.next({})), -1);
}

TEST(PeekableSource, WhatIsGeneratedFitsTheInputsThatAreAskedFor) {
  Logger quiet;
  PeekableSource feeds(generated_feeds({}, quiet));
  const auto inputs = [](DataType type) -> Metadata {
    return {{"x", {type, DimList{Dim(2)}, {}}}};
  };
  EXPECT_EQ(feeds.peek(inputs(DataType::kFloat32))->find("x")->tensor().dtype(),
            DataType::kFloat32);
  const auto first = feeds.next(inputs(DataType::kInt64));
  EXPECT_EQ(first->find("x")->tensor().dtype(), DataType::kInt64);
  EXPECT_FALSE(feeds.next(inputs(DataType::kInt64)));
}

}  // namespace
}  // namespace polygraphy
