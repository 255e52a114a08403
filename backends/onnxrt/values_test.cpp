#include "onnxrt/values.h"

#include <gtest/gtest.h>

#include <vector>

namespace onnxrt {
namespace {

class Feeds {
 public:
  void add(const char* begin, uint64_t bytes) {
    values_.push_back(pgb::empty_value(PGB_TENSOR));
    values_.back().data = begin;
    values_.back().bytes = bytes;
  }
  FedBytes bytes() const {
    std::vector<pgb_named_value> named;
    for (const pgb_value& value : values_) named.push_back({"x", &value});
    return FedBytes(named);
  }

 private:
  std::vector<pgb_value> values_;
};

TEST(FedBytes, AreThoseOfAllFeeds) {
  std::vector<char> memory(100);
  const char* begin = memory.data();
  Feeds feeds;
  feeds.add(begin + 60, 20);
  feeds.add(begin + 10, 10);
  const FedBytes fed = feeds.bytes();
  for (const int at : {10, 19, 60, 79}) EXPECT_TRUE(fed.contain(begin + at)) << at;
  for (const int at : {0, 9, 20, 59, 80}) EXPECT_FALSE(fed.contain(begin + at)) << at;
}

// Feeds may be views of one array: the longer one begins before a shorter one.
TEST(FedBytes, OfFeedsThatOverlap) {
  std::vector<char> memory(100);
  const char* begin = memory.data();
  Feeds feeds;
  feeds.add(begin + 20, 10);
  feeds.add(begin, 50);
  feeds.add(begin + 40, 20);
  feeds.add(begin, 50);
  const FedBytes fed = feeds.bytes();
  for (const int at : {0, 25, 35, 49, 59}) EXPECT_TRUE(fed.contain(begin + at)) << at;
  EXPECT_FALSE(fed.contain(begin + 60));
}

TEST(FedBytes, OfNoFeed) {
  const char byte = 0;
  EXPECT_FALSE(FedBytes({}).contain(&byte));
  Feeds empty;
  empty.add(&byte, 0);
  EXPECT_FALSE(empty.bytes().contain(&byte));
}

}  // namespace
}  // namespace onnxrt
