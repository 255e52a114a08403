#include "base/os/protected_files.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace polygraphy {
namespace {

constinit std::atomic<const ProtectedFiles*> innermost = nullptr;

}  // namespace

std::optional<FileIdentity> identity_of(const std::string& path) {
  const auto status = file_status(path);
  return status && status->is_file() ? std::optional(status->identity) : std::nullopt;
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
