#include "base/os/processes/confinement.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

bool opens(const std::string& path, int flags) {
  const int fd = ::open(path.c_str(), flags, 0600);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

// In a separate process, because a confinement stays. Skips the test where the kernel has none.
void confined(const Confinement& limits, const std::function<bool()>& holds) {
  constexpr int kHolds = 0, kDoesNot = 1, kNotHere = 2;
  const pid_t child = ::fork();
  if (child == 0) {
    const Enforced enforced = confine_this_process(limits);
    if (!enforced.files || !enforced.calls) ::_exit(kNotHere);
    ::_exit(holds() ? kHolds : kDoesNot);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kNotHere) GTEST_SKIP() << "this kernel has no Landlock or no seccomp";
  EXPECT_EQ(WEXITSTATUS(status), kHolds);
}

class ConfinementTest : public testing::Test {
 protected:
  ConfinementTest() {
    for (const char* name : {"mine", "others"}) {
      ::mkdir(at(name).c_str(), 0700);
      EXPECT_TRUE(opens(at(name) + "/file", O_WRONLY | O_CREAT));
    }
  }
  std::string at(const std::string& name) const { return folder_ / name; }

  TemporaryFolder folder_;
};

TEST_F(ConfinementTest, FoldersToReadAreReadOnly) {
  confined({.read = {at("mine")}}, [&] {
    return opens(at("mine/file"), O_RDONLY) && !opens(at("mine/file"), O_WRONLY) &&
           !opens(at("mine/new"), O_WRONLY | O_CREAT) && !opens(at("others/file"), O_RDONLY);
  });
}

TEST_F(ConfinementTest, FilesInFoldersToWriteComeAndGo) {
  confined({.write = {at("mine")}}, [&] {
    return opens(at("mine/new"), O_RDWR | O_CREAT) &&
           ::rename(at("mine/new").c_str(), at("mine/newer").c_str()) == 0 &&
           ::unlink(at("mine/newer").c_str()) == 0 && !opens(at("others/file"), O_RDONLY);
  });
}

TEST_F(ConfinementTest, AFileAloneIsAllowed) {
  confined({.read = {at("others/file")}},
           [&] { return opens(at("others/file"), O_RDONLY) && !opens(at("mine/file"), O_RDONLY); });
}

TEST_F(ConfinementTest, RefusalsAreToldFromMissingPermissions) {
  confined({}, [&] {
    return is_confined() && is_refused(at("mine/file"), EACCES) &&
           !is_refused(at("mine/none"), ENOENT) && !is_refused(at("mine/none"), EACCES);
  });
}

TEST_F(ConfinementTest, OnlyGivenProgramsStart) {
  const auto starts = [](const char* program) {
    const pid_t child = ::vfork();
    if (child == 0) {
      ::execl(program, program, static_cast<char*>(nullptr));
      ::_exit(127);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  };
  const Confinement limits{.read = {"/usr", "/lib", "/lib64", "/etc"}, .execute = {"/bin/true"}};
  confined(limits, [&] { return starts("/bin/true") && !starts("/bin/sh"); });
  confined(limits, [&] {
    refuse_programs();
    return !starts("/bin/true");
  });
}

TEST_F(ConfinementTest, SocketsAreRefusedUnlessTheNetworkIsAllowed) {
  const auto connects = [] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; };
  confined({}, [&] { return !connects() && errno == EACCES; });
  confined({.network = true}, connects);
  int pair[2];
  confined({}, [&] { return ::socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0; });
}

}  // namespace
}  // namespace polygraphy
