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
      return "Check the spelling of the path";
    case EACCES:
    case EPERM:
      return "Check the permissions of the file and of the folders above it";
    case EISDIR:
      return "Give the path of a file";
    case EMFILE:
    case ENFILE:
      return "Raise the limit of open files (ulimit -n)";
    default:
      return {};
  }
}

std::string write_hint(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "Free some space or write to another folder";
    case EACCES:
    case EPERM:
    case EROFS:
      return "Write to a folder with write permission";
    case EISDIR:
      return "Give the path of a file";
    case ENOENT:
    case ENOTDIR:
      return "Check the spelling of the path";
    case EFBIG:
      return "The file system or a limit (ulimit -f) does not allow files of this size";
    default:
      return {};
  }
}

}  // namespace polygraphy
