#include "base/os/system_error.h"

#include <cerrno>
#include <cstring>

namespace polygraphy {

std::string system_reason(int error) {
  const char* text = ::strerrordesc_np(error);
  return text != nullptr ? text : "error " + std::to_string(error);
}

std::string open_hint(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return "check the spelling of the path";
    case EACCES:
    case EPERM:
      return "check the permissions of the file and of the folders above it";
    case EISDIR:
      return "give the path of a file";
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n)";
    default:
      return {};
  }
}

std::string write_hint(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or write to another folder";
    case EACCES:
    case EPERM:
    case EROFS:
      return "write to a folder with write permission";
    case EISDIR:
      return "give the path of a file";
    case ENOENT:
    case ENOTDIR:
      return "check the spelling of the path";
    case EFBIG:
      return "the file system or a limit (ulimit -f) does not allow files of this size";
    default:
      return {};
  }
}

}  // namespace polygraphy
