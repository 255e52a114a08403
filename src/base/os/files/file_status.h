// The kind, the size and the times of a file.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace polygraphy {

// Of an inode: equal for all names of a file, links included.
struct FileIdentity {
  uint64_t device = 0, inode = 0;
  auto operator<=>(const FileIdentity&) const = default;
};

struct FileStatus {
  enum class Kind : uint8_t { kFile, kFolder, kLink, kOther };  // kFile: a regular one

  Kind kind = Kind::kOther;
  FileIdentity identity;
  uint64_t bytes = 0;
  int64_t changed_ns = 0;  // since the epoch
  uint32_t owner = 0;
  bool others_may_write = false;  // its group, or all users

  bool is_file() const { return kind == Kind::kFile; }
  bool is_folder() const { return kind == Kind::kFolder; }
};

// nullopt, with the reason in errno: it does not exist, or cannot be reached.
std::optional<FileStatus> file_status(const std::string& path);  // follows links
std::optional<FileStatus> link_status(const std::string& path);  // of a link itself
std::optional<FileStatus> file_status(int fd);

}  // namespace polygraphy
