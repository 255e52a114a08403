#include "polygraphy/data/inputs/feeds_in_range.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace polygraphy {
namespace {

using ::testing::ThrowsMessage;

const Metadata kInputs = {{"x", {DataType::kFloat32, DimList{Dim(4)}, {}}}};

std::unique_ptr<FeedSource> ten(Logger& log) {
  return generated_feeds({.iterations = 10}, log);
}

TEST(FeedsInRangeTest, AreThoseOfTheWholeSource) {
  Logger log;
  const auto all = ten(log), some = feeds_in_range(ten(log), 3, 5);
  for (int i = 0; i < 3; ++i) static_cast<void>(all->next(kInputs));
  EXPECT_EQ(some->total(), 3);
  for (int i = 0; i < 3; ++i) {
    const auto expected = all->next(kInputs), feed = some->next(kInputs);
    ASSERT_TRUE(feed);
    EXPECT_TRUE(bitwise_equal(*feed->find("x")->as_tensor(), *expected->find("x")->as_tensor()));
  }
  EXPECT_FALSE(some->next(kInputs));
}

TEST(FeedsInRangeTest, MustExist) {
  Logger log;
  const auto feeds = feeds_in_range(ten(log), 10, 12);
  EXPECT_THAT([&] { static_cast<void>(feeds->next(kInputs)); },
              ThrowsMessage<Error>("There is no sample 10: the inputs have 10"));
}

}  // namespace
}  // namespace polygraphy
