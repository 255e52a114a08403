#include "base/os/process_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

namespace polygraphy {
namespace {

TEST(ProcessMemoryTest, APeakStaysUntilItIsReset) {
  constexpr size_t kBytes = size_t{64} << 20;
  const uint64_t before = resident_memory();
  ASSERT_GT(before, 0u);
  {
    // Sanitizers keep memory that is freed.
    void* block =
        ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(block, MAP_FAILED);
    std::memset(block, 1, kBytes);
    EXPECT_GE(resident_memory(), before + kBytes / 2);
    ::munmap(block, kBytes);
  }
  EXPECT_GE(peak_memory(), before + kBytes / 2);
  if (reset_peak_memory()) {
    EXPECT_LT(peak_memory(), before + kBytes / 2);
  }
}

}  // namespace
}  // namespace polygraphy
