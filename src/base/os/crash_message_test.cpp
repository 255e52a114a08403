#include "base/os/crash_message.h"

#include <gtest/gtest.h>

#include <csignal>
#include <new>
#include <stdexcept>
#include <thread>

namespace polygraphy {
namespace {

// A thread has no caller that could catch its exceptions.
TEST(CrashMessageTest, MemoryThatRunsOutInAThreadIsASentence) {
  const auto run_out = [] {
    install_crash_message("", 3);
    std::thread([] { throw std::bad_alloc(); }).join();
  };
  EXPECT_EXIT(run_out(), ::testing::ExitedWithCode(3), "^\\[!\\] not enough memory\n$");
}

TEST(CrashMessageTest, OtherExceptionsAreCrashes) {
  const auto crash = [] {
    install_crash_message("", 3);
    std::thread([] { throw std::runtime_error("a fault"); }).join();
  };
  EXPECT_EXIT(crash(), ::testing::KilledBySignal(SIGABRT), "a fault(.|\n)*crashed: SIGABRT");
}

}  // namespace
}  // namespace polygraphy
