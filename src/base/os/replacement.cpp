#include "base/os/replacement.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace polygraphy {

void Replacement::finish() {
  if (!old_.path().empty()) ::unlink(old_.path().c_str());
  old_ = {};
  target_.clear();
}

int Replacement::replace(NotedTemporary& file, const std::string& target) {
  const char* from = file.path().c_str();
  struct stat info{};
  // An exchange would move folders, too.
  if (::stat(target.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return EISDIR;
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) {
    old_ = std::move(file);
    target_ = target;
    return 0;
  }
  NotedTemporary old;
  if (errno != ENOENT) {  // a file system that exchanges nothing
    old = NotedTemporary(unused_name(file.path()));
    if (::link(target.c_str(), old.path().c_str()) != 0) return errno;
  }
  if (::rename(from, target.c_str()) != 0) {
    const int error = errno;
    if (!old.path().empty()) ::unlink(old.path().c_str());
    return error;
  }
  old_ = std::move(old);
  file = {};
  target_ = target;
  return 0;
}

void Replacement::undo() {
  if (target_.empty()) return;
  if (old_.path().empty()) {
    ::unlink(target_.c_str());
  } else {
    ::rename(old_.path().c_str(), target_.c_str());
  }
  old_ = {};
  target_.clear();
}

}  // namespace polygraphy
