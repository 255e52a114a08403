#include "base/os/child_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

// Children that end only when they are ended sleep for ever: a test that waits for them in vain
// hangs.
ChildOptions shell(const std::string& script) {
  return {
      .argv = {"sh", "-c", script}, .out = ChildStream::capture(), .err = ChildStream::capture()};
}

// A pipe: a child has its write end as descriptor 3.
class PipeFromChild {
 public:
  PipeFromChild() { EXPECT_EQ(::pipe2(ends_, O_CLOEXEC), 0); }
  ~PipeFromChild() {
    for (const int fd : ends_) ::close(fd);
  }
  ChildOptions shell(const std::string& script) const {
    ChildOptions options = polygraphy::shell(script);
    options.descriptors = {{ends_[1], 3}};
    return options;
  }
  // The number that the child writes first; waits for it.
  pid_t number() const {
    char text[16] = {};
    EXPECT_GT(::read(ends_[0], text, sizeof text - 1), 0);
    return std::atoi(text);
  }

 private:
  int ends_[2] = {-1, -1};
};

// Returns when the process has ended, which need not be a child of ours. A zombie has ended.
void wait_for_the_end_of(pid_t pid) {
  const int fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (fd < 0) {
    EXPECT_EQ(errno, ESRCH);
    return;
  }
  pollfd ended{.fd = fd, .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&ended, 1, -1), 1);
  ::close(fd);
}

std::string message_of(const ChildOptions& options) {
  try {
    ChildProcess child(options);
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "it was started";
}

TEST(ChildProcessTest, ReturnsTheExitCodeAndWhatWasPrinted) {
  ChildProcess child(shell("echo to out; echo to err >&2; exit 3"));
  const auto status = child.wait();
  ASSERT_TRUE(status);
  EXPECT_EQ(to_text(*status), "exited with 3");
  EXPECT_FALSE(status->success());
  EXPECT_GT(status->peak_bytes, 0U);
  EXPECT_EQ(child.out().text, "to out\n");
  EXPECT_EQ(child.err().text, "to err\n");
  EXPECT_EQ(child.wait()->code, 3);
}

TEST(ChildProcessTest, NamesTheSignalThatEndedIt) {
  ChildProcess child(shell("kill -SEGV $$"));
  EXPECT_EQ(to_text(child.wait().value()), "was killed by SIGSEGV (Segmentation fault)");
  EXPECT_EQ(signal_name(SIGKILL), "SIGKILL");
  EXPECT_EQ(signal_name(SIGRTMIN + 3), "signal " + std::to_string(SIGRTMIN + 3));
}

TEST(ChildProcessTest, AProgramThatCannotBeStartedIsNamedWithTheReason) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of({.argv = {"no-such-program-here"}}),
            "cannot start 'no-such-program-here': no such program in PATH | Install it, or give "
            "its path");
  EXPECT_EQ(message_of({.argv = {"/no/such/file"}}),
            "cannot start '/no/such/file': No such file or directory | Check the spelling of the "
            "path");
  const std::string plain = folder / "plain", no_first_line = folder / "no_first_line",
                    no_interpreter = folder / "no_interpreter";
  put(plain, "text");
  put(no_first_line, "text");
  put(no_interpreter, "#!/no/such/interpreter\n");
  for (const std::string& file : {no_first_line, no_interpreter}) ::chmod(file.c_str(), 0755);
  EXPECT_THAT(message_of({.argv = {plain}}), HasSubstr("chmod +x"));
  EXPECT_THAT(message_of({.argv = {no_first_line}}), HasSubstr("#!/bin/sh"));
  EXPECT_THAT(message_of({.argv = {no_interpreter}}), HasSubstr("interpreter"));
  EXPECT_EQ(
      message_of({.argv = {"true"}, .folder = "/no/such/folder"}),
      "cannot start 'true' in folder '/no/such/folder': No such file or directory | Check the "
      "spelling of the path");
}

TEST(ChildProcessTest, InputEnvironmentAndFolderAreThoseAskedFor) {
  const TemporaryFolder folder;
  auto options = shell("cat; echo $PG_TEST_A; pwd");
  const std::string text(300'000, 'x');  // more than a pipe holds
  options.in = ChildStream::of_text(text);
  options.environment = {{"PG_TEST_A", "a value"}};
  options.folder = folder.path();
  ChildProcess child(options);
  EXPECT_TRUE(child.wait()->success());
  EXPECT_EQ(child.out().text, text + "a value\n" + folder.path() + "\n");
}

TEST(ChildProcessTest, HandsOverOnlyTheNamedDescriptors) {
  int ends[2], stray[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ASSERT_EQ(::pipe(stray), 0);  // inheritable by mistake
  auto options = shell("echo hello >&4; ls /proc/self/fd | tr '\\n' ' '");
  // Numbers that are in use on our side already.
  options.descriptors = {{ends[1], 4}};
  ChildProcess child(options);
  EXPECT_TRUE(child.wait()->success());
  char text[16] = {};
  EXPECT_EQ(::read(ends[0], text, sizeof text), 6);
  EXPECT_STREQ(text, "hello\n");
  EXPECT_EQ(child.out().text, "0 1 2 3 4 ");  // 3: the folder that ls reads
  for (const int fd : {ends[0], ends[1], stray[0], stray[1]}) ::close(fd);
}

TEST(ChildProcessTest, AFloodIsDrainedAndKeptUpToTheLimit) {
  auto options =
      shell("yes | head -c 3000000; echo last; yes no | head -c 3000000 >&2; echo end >&2");
  options.out = ChildStream::capture(10);
  options.err = ChildStream::capture(10, ChildStream::Keep::kLast);
  ChildProcess child(options);
  EXPECT_TRUE(child.wait()->success());
  EXPECT_EQ(child.out().text, "y\ny\ny\ny\ny\n");
  EXPECT_EQ(child.out().dropped, 3'000'005U - 10);
  EXPECT_EQ(child.err().text, "no\nno\nend\n");
  EXPECT_EQ(child.err().dropped, 3'000'004U - 10);
}

TEST(ChildProcessTest, WhereAllIsWantedAFloodEndsTheChild) {
  auto options = shell("echo begin; yes");
  options.out = ChildStream::capture(1000, ChildStream::Keep::kAll);
  ChildProcess child(options);
  EXPECT_EQ(child.wait()->signal, SIGKILL);
  EXPECT_EQ(child.out().text.size(), 1000u);
  EXPECT_TRUE(child.out().text.starts_with("begin\n"));
  EXPECT_GT(child.out().dropped, 0u);
}

TEST(ChildProcessTest, WaitsNoLongerThanItIsTold) {
  ChildProcess child(shell("sleep infinity"));
  EXPECT_FALSE(child.wait(0.05));
  EXPECT_EQ(child.kill().signal, SIGTERM);
  EXPECT_EQ(child.wait()->signal, SIGTERM);
}

TEST(ChildProcessTest, OneThatIgnoresTermIsKilled) {
  const PipeFromChild pipe;
  ChildProcess child(pipe.shell("trap '' TERM; echo 1 >&3; while :; do sleep 0.01; done"));
  EXPECT_EQ(pipe.number(), 1);
  EXPECT_EQ(child.kill(0.1).signal, SIGKILL);
}

TEST(ChildProcessTest, ChildrenLeftBehindGoWithIt) {
  // It holds our pipe open, too: that must not keep us waiting.
  ChildProcess child(shell("sleep infinity & echo $!"));
  EXPECT_TRUE(child.wait()->success());
  wait_for_the_end_of(std::stoi(child.out().text));
}

TEST(ChildProcessTest, TheDestructorEndsTheWholeGroup) {
  const PipeFromChild pipe;
  pid_t inner = 0, outer = 0;
  {
    ChildProcess child(pipe.shell("sleep infinity & echo $! >&3; sleep infinity"));
    outer = child.pid();
    inner = pipe.number();
  }
  EXPECT_EQ(::kill(outer, 0), -1);
  wait_for_the_end_of(inner);
}

TEST(ChildProcessTest, AnOrderToStopEndsTheWait) {
  ChildProcess child(shell("sleep infinity"));
  std::atomic<bool> stop = false;
  std::thread later([&] { stop = true; });
  EXPECT_THROW(child.wait({}, &stop), Interrupted);
  later.join();
}

TEST(ChildProcessTest, EventsOfADescriptorComeBeforeTheEnd) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  auto options = shell("echo x >&5");
  options.descriptors = {{ends[1], 5}};
  ChildProcess child(options);
  ::close(ends[1]);
  EXPECT_EQ(child.wait_readable(ends[0], {}), ChildProcess::Event::kReadable);
  char text[8];
  EXPECT_EQ(::read(ends[0], text, sizeof text), 2);
  EXPECT_EQ(child.wait_readable(-1, {}), ChildProcess::Event::kEnded);
  EXPECT_TRUE(child.wait()->success());
  ::close(ends[0]);
}

TEST(ChildProcessTest, ItDiesWithTheProcessThatStartedIt) {
  // A process in between starts the child and is killed.
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const pid_t between = ::fork();
  if (between == 0) {
    const ChildProcess child(shell("sleep infinity"));
    const pid_t pid = child.pid();
    if (::write(ends[1], &pid, sizeof pid) != sizeof pid) ::_exit(1);
    ::raise(SIGKILL);
  }
  pid_t grandchild = 0;
  ASSERT_EQ(::read(ends[0], &grandchild, sizeof grandchild),
            static_cast<ssize_t>(sizeof grandchild));
  wait_for_the_end_of(grandchild);
  for (const int fd : ends) ::close(fd);
  ::kill(between, SIGKILL);
}

}  // namespace
}  // namespace polygraphy
