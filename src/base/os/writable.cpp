#include "base/os/writable.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <span>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/paths.h"
#include "base/os/system_error.h"
#include "base/text.h"

namespace polygraphy {
namespace {

// One byte, which is handed to the system: only then does it see that it has no room.
void try_to_write(const std::string& path) {
  AtomicFile file(path, Durability::kNone, false);
  if (!file.rewritable()) return;
  file.write("x");
  file.rewrite(0, std::as_bytes(std::span("x", 1)));
}

// That the folder can be made, where it is missing. True where it is there.
bool check_folder(const std::string& folder, const std::string& path) {
  struct stat info{};
  std::string there = folder;
  while (::stat(there.c_str(), &info) != 0) {
    if (errno != ENOENT || there == "." || there == "/") {
      const int error = errno;
      throw IoError("cannot write '" + path + "': " + system_reason(error), open_hint(error));
    }
    there = folder_of(there);
  }
  int error = S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
  if (there == folder && error == 0) return true;
  if (error == 0 && ::euidaccess(there.c_str(), W_OK | X_OK) != 0) error = errno;
  if (error == 0) return false;
  throw IoError("cannot write '" + path + "': cannot create a folder in '" + there +
                    "': " + system_reason(error),
                error == ENOTDIR ? open_hint(error) : "Write to a folder with write permission");
}

}  // namespace

void check_file_writable(const std::string& path) {
  struct stat info{};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return;
  // A dangling link may lead to another folder.
  const bool is_link = !exists && ::lstat(path.c_str(), &info) == 0;
  if (path == "-" || exists || is_link || check_folder(folder_of(path), path)) try_to_write(path);
}

void check_folder_writable(const std::string& folder) {
  if (!check_folder(folder, folder)) return;
  const std::string name = "/.polygraphy-writable";
  try {
    try_to_write(folder + name);
  } catch (const IoError& error) {
    throw IoError(replace_all(error.what(), folder + name, folder), error.hint());
  }
}

void refuse_link(const std::string& path) {
  struct stat info{};
  if (::lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return;
  throw IoError("cannot write '" + path + "': it is a symbolic link, and no option names it",
                "Remove the link, or name a file to write.");
}

}  // namespace polygraphy
