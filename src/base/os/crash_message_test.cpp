#include "base/os/crash_message.h"

#include <gtest/gtest.h>

#include <csignal>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

namespace polygraphy {
namespace {

// A thread has no caller that could catch its exceptions.
TEST(CrashMessageTest, MemoryThatRunsOutInAThreadIsASentence) {
  const auto run_out = [] {
    install_memory_message(3);
    std::thread([] { throw std::bad_alloc(); }).join();
  };
  EXPECT_EXIT(run_out(), ::testing::ExitedWithCode(3), "^\\[!\\] not enough memory\n$");
}

// As operator new does it, in a function of std::filesystem::directory_iterator.
void run_out_of_memory() noexcept {
  const std::string freed_on_the_way(100, 'x');
  std::get_new_handler()();
}

TEST(CrashMessageTest, MemoryThatRunsOutInAFunctionWithoutExceptionsIsASentence) {
  const auto run_out = [] {
    install_memory_message(3);
    run_out_of_memory();
  };
  EXPECT_EXIT(run_out(), ::testing::ExitedWithCode(3), "^\\[!\\] not enough memory\n$");
}

TEST(CrashMessageTest, OtherExceptionsAreCrashes) {
  const auto crash = [] {
    install_memory_message(3);
    install_crash_message("");
    std::thread([] { throw std::runtime_error("a fault"); }).join();
  };
  EXPECT_EXIT(crash(), ::testing::KilledBySignal(SIGABRT), "a fault(.|\n)*crashed: SIGABRT");
}

}  // namespace
}  // namespace polygraphy
