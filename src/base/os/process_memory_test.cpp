#include "base/os/process_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

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

TEST(ProcessMemoryTest, CountsProcessesThatItStarted) {
  int ready[2], done[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(done), 0);
  const uint64_t before = resident_memory();
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(done[1]);
    char byte = 0;
    static_cast<void>(::write(ready[1], &byte, 1));
    static_cast<void>(::read(done[0], &byte, 1));  // until the other end is closed
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_GT(peak_memory(child), 0u);
  EXPECT_GT(resident_memory(), before);
  ::close(done[1]);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(peak_memory(child), 0u);
}

}  // namespace
}  // namespace polygraphy
