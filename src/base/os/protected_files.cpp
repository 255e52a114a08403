#include "base/os/protected_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <utility>

namespace polygraphy {
namespace {

constinit std::atomic<const std::vector<FileIdentity>*> protected_files = nullptr;

}  // namespace

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return FileIdentity{info.st_dev, info.st_ino};
}

ProtectedFiles::ProtectedFiles(std::vector<FileIdentity> files) : files_(std::move(files)) {
  std::sort(files_.begin(), files_.end());
  [[maybe_unused]] const auto* before = protected_files.exchange(&files_);
  assert(before == nullptr && "one at a time");
}

ProtectedFiles::~ProtectedFiles() {
  protected_files = nullptr;
}

bool is_protected(const FileIdentity& file) {
  const std::vector<FileIdentity>* files = protected_files;
  return files != nullptr && std::binary_search(files->begin(), files->end(), file);
}

}  // namespace polygraphy
