#include "base/os/files/open_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/error.h"
#include "base/os/files/file_status.h"
#include "base/os/system_error.h"

namespace polygraphy {

FileDescriptor open_to_append(const std::string& path, OldContents old) {
  // Open for reading too, a FIFO does not wait for its reader.
  const int mode = old == OldContents::kDrop ? O_WRONLY | O_TRUNC : O_RDWR;
  return FileDescriptor(::open(path.c_str(), mode | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
}

FileDescriptor open_regular(const std::string& path, OpenFor what) {
  constexpr int kNoSurprises = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  const int flags = kNoSurprises | (what == OpenFor::kReading ? O_RDONLY : O_RDWR | O_CREAT);
  const int quiet = what == OpenFor::kReading ? O_NOATIME : 0;
  FileDescriptor file(::open(path.c_str(), flags | quiet, 0666));
  // Others' files have their times of access set.
  if (!file && errno == EPERM) file = FileDescriptor(::open(path.c_str(), flags, 0666));
  if (!file) {
    const int error = errno;
    throw IoError(
        "cannot open '" + path + "': " + (error == ELOOP ? "it is a link" : system_reason(error)),
        open_hint(error, path));
  }
  if (const auto status = file_status(file.get()); status && status->is_file()) return file;
  throw IoError("cannot open '" + path + "': it is not a regular file", "Remove it.");
}

FileDescriptor open_unnamed(const std::string& folder) {
  FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file) return file;
  std::string name = folder + "/.polygraphy-XXXXXX";  // no O_TMPFILE on this file system
  file = FileDescriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (file) ::unlink(name.c_str());
  return file;
}

}  // namespace polygraphy
