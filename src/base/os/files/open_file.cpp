#include "base/os/files/open_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace polygraphy {

FileDescriptor open_to_append(const std::string& path, OldContents old) {
  // Open for reading too, a FIFO does not wait for its reader.
  const int mode = old == OldContents::kDrop ? O_WRONLY | O_TRUNC : O_RDWR;
  return FileDescriptor(::open(path.c_str(), mode | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
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
