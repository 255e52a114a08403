#include "polygraphy/diagnosis/reduce/intermediates/samples.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

// Sample i is `bytes` bytes, each of which is i.
class CountingFeeds : public FeedSource {
 public:
  CountingFeeds(int64_t samples, int64_t bytes) : samples_(samples), bytes_(bytes) {}
  std::optional<ValueMap> next(const Metadata&) override {
    if (made_ == samples_) return std::nullopt;
    Array values = Array::zeros(DataType::kUint8, {bytes_});
    for (int64_t i = 0; i < bytes_; ++i) values.mutable_data()[i] = static_cast<std::byte>(made_);
    ValueMap feed;
    feed.set("x", std::move(values));
    ++made_;
    return feed;
  }
  int64_t made() const { return made_; }

 private:
  int64_t samples_, bytes_, made_ = 0;
};

Metadata one_input(int64_t bytes) {
  Metadata inputs;
  TensorInfo info;
  info.dtype = DataType::kUint8;
  info.shape = DimList{Dim(bytes)};
  inputs.set("x", info);
  return inputs;
}

TEST(Samples, AreReadWhenTheyAreAskedFor) {
  CountingFeeds feeds(3, 4);
  Logger log;
  Samples samples(feeds);
  EXPECT_FALSE(samples.read());
  EXPECT_EQ(samples.at(1, one_input(4), log)->find("x")->tensor().get_double(3), 1);
  EXPECT_EQ(feeds.made(), 2);
  EXPECT_EQ(samples.at(0, one_input(4), log)->find("x")->tensor().get_double(0), 0);
  EXPECT_EQ(feeds.made(), 2);
  EXPECT_EQ(samples.at(3, one_input(4), log), nullptr);
  EXPECT_TRUE(samples.read());
}

TEST(Samples, ManyOrLargeOnesGoToAFile) {
  constexpr int64_t kBytes = (int64_t{20} << 20) + 1;
  CountingFeeds feeds(5, kBytes);
  Logger log;
  Samples samples(feeds);
  for (int turn = 0; turn < 2; ++turn) {
    for (int64_t i = 0; i < 5; ++i) {
      const Array& values = samples.at(i, one_input(kBytes), log)->find("x")->tensor();
      EXPECT_EQ(values.get_double(0), i);
      EXPECT_EQ(values.get_double(kBytes - 1), i);
    }
  }
}

}  // namespace
}  // namespace polygraphy
