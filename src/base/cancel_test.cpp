#include "base/cancel.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

TEST(CancelToken, AsksItsFlag) {
  std::atomic<bool> flag = false;
  const CancelToken token(flag);
  const CancelToken copy = token;
  EXPECT_NO_THROW(copy.check());
  flag = true;
  EXPECT_TRUE(copy.cancelled());
  EXPECT_THROW(token.check(), Interrupted);
  EXPECT_EQ(token.flag(), &flag);
}

TEST(CancelToken, IsNeverCancelledWithoutAFlag) {
  EXPECT_NO_THROW(CancelToken().check());
  EXPECT_FALSE(CancelToken(nullptr).cancelled());
}

}  // namespace
}  // namespace polygraphy
