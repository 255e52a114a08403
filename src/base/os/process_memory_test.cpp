#include "base/os/process_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

namespace polygraphy {
namespace {

TEST(ProcessMemoryTest, APeakStaysUntilItIsReset) {
  constexpr size_t kBytes = size_t{64} << 20;
  const uint64_t before = resident_memory();
  ASSERT_GT(before, 0u);
  {
    const auto block = std::make_unique<char[]>(kBytes);
    std::memset(block.get(), 1, kBytes);
    EXPECT_GE(resident_memory(), before + kBytes / 2);
  }
  EXPECT_GE(peak_memory(), before + kBytes / 2);
  if (reset_peak_memory()) {
    EXPECT_LT(peak_memory(), before + kBytes / 2);
  }
}

}  // namespace
}  // namespace polygraphy
