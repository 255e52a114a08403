// Files that this process must not write, because it reads them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/os/files/file_status.h"

namespace polygraphy {

// nullopt if the path does not exist or is not a regular file. Follows links.
std::optional<FileIdentity> identity_of(const std::string& path);

// While this lives, AtomicFile refuses to replace these files. A command that calls another one
// nests them: the last one made is the first to end.
class ProtectedFiles {
 public:
  explicit ProtectedFiles(std::vector<FileIdentity> files);
  ~ProtectedFiles();
  ProtectedFiles(const ProtectedFiles&) = delete;
  ProtectedFiles& operator=(const ProtectedFiles&) = delete;

 private:
  friend bool is_protected(const FileIdentity& file);

  std::vector<FileIdentity> files_;  // sorted
  const ProtectedFiles* outer_ = nullptr;
};

// From any thread.
bool is_protected(const FileIdentity& file);

}  // namespace polygraphy
