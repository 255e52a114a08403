#include "tasks/shared_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "base/clock.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/system_error.h"
#include "tasks/pause.h"

namespace polygraphy {
namespace {

constexpr double kBetweenLooks = 0.1;  // seconds

constinit std::atomic<int> pretended_error = 0;

int lock(int fd) {
  if (pretended_error != 0) return pretended_error;
  return ::flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
}

struct OpenFile {
  int fd;
  uint64_t bytes;
};

OpenFile open_regular(const std::string& path, int flags) {
  flags |= O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  int fd = ::open(path.c_str(), flags, 0666);
  // Others' files have their times of access set.
  if (fd < 0 && errno == EPERM) fd = ::open(path.c_str(), flags & ~O_NOATIME, 0666);
  if (fd < 0) {
    const int error = errno;
    throw IoError(
        "cannot open '" + path + "': " + (error == ELOOP ? "it is a link" : system_reason(error)),
        open_hint(error));
  }
  struct stat info;
  if (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
    return {fd, static_cast<uint64_t>(info.st_size)};
  ::close(fd);
  throw IoError("cannot open '" + path + "': it is not a regular file", "Remove it.");
}

}  // namespace

int open_shared(const std::string& path, int flags) {
  return open_regular(path, flags).fd;
}

std::string read_shared(const std::string& path, uint64_t most) {
  const auto [fd, size] = open_regular(path, O_RDONLY | O_NOATIME);
  std::string text;
  size_t got = 0;
  if (size <= most) {
    text.resize(size);
    for (ssize_t part = 1; part > 0 && got < size; got += static_cast<size_t>(part)) {
      part = ::pread(fd, text.data() + got, size - got, static_cast<off_t>(got));
      if (part >= 0) continue;
      const int error = errno;
      ::close(fd);
      throw IoError(path + ": " + system_reason(error));
    }
  }
  ::close(fd);
  if (size > most)
    throw FormatError(fmt::format("'{}' has {} bytes, but at most {} are read", path, size, most));
  text.resize(got);
  return text;
}

bool is_foreign(const std::string& path) {
  struct stat info;
  return ::lstat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

bool LockAttempts::take(int fd) {
  const int error = lock(fd);
  if (error == 0) return true;
  if (error != EWOULDBLOCK && error != EINTR) {
    static std::atomic<bool> warned = false;
    if (log_ && !warned.exchange(true)) {
      log_->warning(log_modules::kTasks,
                    fmt::format("{}: the file system has no locks ({}), so a task may run twice at "
                                "a time; its result is the same",
                                path_, system_reason(error)));
    }
    return true;
  }
  if (began_ == 0) began_ = seconds_now();
  const double waited = seconds_now() - began_;
  if (waited > patience_.most) {
    throw IoError(fmt::format("{} has been locked by another process for {:.0f} s", path_, waited),
                  "If no process works on it, delete the file.");
  }
  if (waited >= patience_.silent && !said_) {
    said_ = true;
    if (log_) {
      log_->warning(log_modules::kTasks,
                    fmt::format("Waiting for another process, which has locked {}", path_));
    }
  }
  pause(kBetweenLooks, cancel_);
  return false;
}

void pretend_lock_error(int error) {
  pretended_error = error;
}

}  // namespace polygraphy
