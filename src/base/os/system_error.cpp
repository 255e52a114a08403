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

}  // namespace polygraphy
