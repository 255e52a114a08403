#include "base/os/files/file_access.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace polygraphy {

bool is_there(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

bool is_readable(const std::string& path) {
  return ::access(path.c_str(), R_OK) == 0;
}

bool is_writable(const std::string& path) {
  return ::access(path.c_str(), W_OK) == 0;
}

bool is_executable(const std::string& path) {
  return ::access(path.c_str(), X_OK) == 0;
}

bool make_executable(const std::string& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 &&
         ::chmod(path.c_str(), info.st_mode | ((info.st_mode & 0444) >> 2)) == 0;
}

bool remove_file(const std::string& path) {
  return ::unlink(path.c_str()) == 0;
}

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(
      ::realpath(path.empty() ? "." : path.c_str(), nullptr), std::free);
  return resolved ? resolved.get() : "";
}

std::optional<std::vector<std::string>> names_in_folder(const std::string& folder) {
  const auto close = [](DIR* open) { ::closedir(open); };
  const std::unique_ptr<DIR, decltype(close)> open(::opendir(folder.c_str()));
  if (!open) return std::nullopt;
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) return std::nullopt;
  return names;
}

bool make_private_folder(const std::string& path) {
  return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST;
}

}  // namespace polygraphy
