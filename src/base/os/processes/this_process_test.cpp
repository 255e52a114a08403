#include "base/os/processes/this_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "base/os/processes/dynamic_library.h"
#include "base/os/processes/standard_streams.h"
#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

using ::testing::HasSubstr;

TEST(ThisProcessTest, KnowsItsExecutableAndMachine) {
  EXPECT_THAT(executable_path(), HasSubstr("pg_os_test"));
  EXPECT_NE(machine_name(), "");
  EXPECT_EQ(process_id(), ::getpid());
}

TEST(ThisProcessTest, RunsOnTheGivenProcessors) {
  const std::vector<int> before = allowed_processors();
  ASSERT_FALSE(before.empty());
  std::thread([&] {
    run_on({before.back()});
    EXPECT_EQ(allowed_processors(), std::vector{before.back()});
  }).join();
  EXPECT_EQ(allowed_processors(), before);  // it was the thread only
}

TEST(ThisProcessTest, MeasuresATerminal) {
  const FileDescriptor terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal) GTEST_SKIP() << "this system has no terminals";
  winsize size{};
  size.ws_col = 123;
  ASSERT_EQ(::ioctl(terminal.get(), TIOCSWINSZ, &size), 0);
  EXPECT_TRUE(is_terminal(terminal.get()));
  EXPECT_EQ(terminal_columns(terminal.get()), 123);
  const FileDescriptor file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(is_terminal(file.get()));
  EXPECT_EQ(terminal_columns(file.get()), 0);
}

TEST(DynamicLibraryTest, HasSymbolsOrAReason) {
  std::string reason;
  void* library = open_library("libm.so.6", reason);
  ASSERT_NE(library, nullptr);
  EXPECT_EQ(reason, "");
  EXPECT_NE(symbol_of(library, "cos"), nullptr);
  EXPECT_EQ(symbol_of(library, "polygraphy_has_no_such"), nullptr);
  EXPECT_EQ(open_library("./missing.so", reason), nullptr);
  EXPECT_THAT(reason, HasSubstr("missing.so"));
}

TEST(StandardStreamsTest, CapturesBothAndRestoresThem) {
  const TemporaryFolder folder;
  StandardStreams outer(folder / "outer");
  {
    StandardStreams captured(folder / "captured");
    std::printf("buffered ");
    std::fflush(stdout);
    EXPECT_EQ(write_all(kStandardError, "at once"), 0);
    EXPECT_EQ(captured.take(), "buffered at once");
    EXPECT_EQ(write_all(kStandardOutput, "later"), 0);
  }
  EXPECT_EQ(outer.take(), "later");
}

}  // namespace
}  // namespace polygraphy
