#include "base/size_text.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

TEST(SizeText, BinaryUnits) {
  EXPECT_EQ(size_text(0), "0 bytes");
  EXPECT_EQ(size_text(1023), "1023 bytes");
  EXPECT_EQ(size_text(1024), "1 KiB");
  EXPECT_EQ(size_text(1536), "1.5 KiB");
  EXPECT_EQ(size_text(64'000'000), "61.04 MiB");
  EXPECT_EQ(size_text(int64_t{3} << 30), "3 GiB");
  EXPECT_EQ(size_text(int64_t{5} << 50), "5120 TiB");
}

}  // namespace
}  // namespace polygraphy
