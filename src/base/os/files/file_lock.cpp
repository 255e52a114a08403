#include "base/os/files/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

#include "base/os/files/descriptor.h"
#include "base/os/files/file_status.h"

namespace polygraphy {

int try_lock(int fd) {
  return ::flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
}

bool is_locked(const std::string& path) {
  const FileDescriptor file(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY));
  return file && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0;
}

bool names_file(const std::string& path, int fd) {
  const auto named = file_status(path), open = file_status(fd);
  return named && open && named->identity == open->identity;
}

}  // namespace polygraphy
