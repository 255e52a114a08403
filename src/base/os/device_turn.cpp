#include "base/os/device_turn.h"

#include <fcntl.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/os/files/file_lock.h"
#include "base/os/system_error.h"

namespace polygraphy {
namespace {

constexpr auto kBetweenTries = std::chrono::milliseconds(20);

// A file of another user is only opened: Linux does not let others create it again.
FileDescriptor open_lock(const std::string& path) {
  constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CREAT | kFlags, 0666);
  if (fd >= 0 || errno != EACCES) return FileDescriptor(fd);
  return FileDescriptor(::open(path.c_str(), O_RDONLY | kFlags));
}

}  // namespace

DeviceTurn::DeviceTurn(const std::string& device, CancelToken cancel) {
  const std::string path = "/tmp/polygraphy-turn-" + device + ".lock";
  while (true) {
    lock_ = open_lock(path);
    if (!lock_) throw IoError("Cannot create " + path + ": " + system_reason(errno));
    while (try_lock(lock_.get()) != 0) {
      cancel.check();
      std::this_thread::sleep_for(kBetweenTries);
    }
    if (names_file(path, lock_.get())) return;  // else others have removed the file meanwhile
  }
}

}  // namespace polygraphy
