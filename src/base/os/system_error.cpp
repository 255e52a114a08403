#include "base/os/system_error.h"

#include <locale.h>

#include <cerrno>
#include <cstring>

#include "base/os/paths.h"
#include "base/os/processes/confinement.h"

namespace polygraphy {

std::string system_reason(int error) {
  // In English, also where a Python program has set another language.
  static const locale_t english = ::newlocale(LC_ALL_MASK, "C", nullptr);
  return english ? ::strerror_l(error, english) : "error " + std::to_string(error);
}

std::string open_hint(int error, const std::string& path) {
  if (is_refused(path, error)) {
    return std::string(kRefusedBySandbox) + " If the command may read it: --allow-read " +
           folder_of(resolve_links(path).value_or(path));
  }
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
      return std::string("Write to a folder with write permission") +
             (is_confined() ? ", or allow it in the sandbox: --allow-write FOLDER" : "");
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

std::string sandbox_hint(std::string_view message) {
  if (!is_confined() || message.find("ermission denied") == std::string_view::npos) return {};
  return "The sandbox may have refused it: --allow-read PATH, --allow-write PATH, or "
         "--no-sandbox for programs.";
}

}  // namespace polygraphy
