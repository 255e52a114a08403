#include "base/os/protected_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <utility>

namespace polygraphy {
namespace {

constinit std::atomic<const ProtectedFiles*> innermost = nullptr;

}  // namespace

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return FileIdentity{info.st_dev, info.st_ino};
}

ProtectedFiles::ProtectedFiles(std::vector<FileIdentity> files) : files_(std::move(files)) {
  std::sort(files_.begin(), files_.end());
  outer_ = innermost.exchange(this);
}

ProtectedFiles::~ProtectedFiles() {
  innermost = outer_;
}

bool is_protected(const FileIdentity& file) {
  for (const ProtectedFiles* each = innermost; each != nullptr; each = each->outer_)
    if (std::binary_search(each->files_.begin(), each->files_.end(), file)) return true;
  return false;
}

}  // namespace polygraphy
