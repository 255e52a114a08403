#include "base/os/device_turn.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/os/system_error.h"

namespace polygraphy {
namespace {

constexpr auto kBetweenTries = std::chrono::milliseconds(20);

// A file of another user is only opened: Linux does not let others create it again.
int open_lock(const std::string& path) {
  constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CREAT | kFlags, 0666);
  if (fd >= 0 || errno != EACCES) return fd;
  return ::open(path.c_str(), O_RDONLY | kFlags);
}

// Not so if others have removed the file meanwhile.
bool is_at(const std::string& path, int fd) {
  struct stat named, open;
  return ::stat(path.c_str(), &named) == 0 && ::fstat(fd, &open) == 0 &&
         named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

}  // namespace

DeviceTurn::DeviceTurn(const std::string& device, CancelToken cancel) {
  const std::string path = "/tmp/polygraphy-turn-" + device + ".lock";
  while (true) {
    fd_ = open_lock(path);
    if (fd_ < 0) throw IoError("Cannot create " + path + ": " + system_reason(errno));
    while (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      if (cancel.cancelled()) {
        ::close(fd_);
        throw Interrupted();
      }
      std::this_thread::sleep_for(kBetweenTries);
    }
    if (is_at(path, fd_)) return;
    ::close(fd_);
  }
}

DeviceTurn::~DeviceTurn() {
  ::close(fd_);
}

}  // namespace polygraphy
