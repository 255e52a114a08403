#include "base/os/files/file_status.h"

#include <sys/stat.h>

namespace polygraphy {
namespace {

FileStatus::Kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileStatus::Kind::kFile;
  if (S_ISDIR(mode)) return FileStatus::Kind::kFolder;
  return S_ISLNK(mode) ? FileStatus::Kind::kLink : FileStatus::Kind::kOther;
}

// `result`: of the system call that filled `info`.
std::optional<FileStatus> status_of(int result, const struct stat& info) {
  if (result != 0) return std::nullopt;
  return FileStatus{
      .kind = kind_of(info.st_mode),
      .identity = {info.st_dev, info.st_ino},
      .bytes = static_cast<uint64_t>(info.st_size),
      .changed_ns = int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec,
      .owner = info.st_uid,
      .others_may_write = (info.st_mode & (S_IWGRP | S_IWOTH)) != 0};
}

}  // namespace

std::optional<FileStatus> file_status(const std::string& path) {
  struct stat info{};
  const int result = ::stat(path.c_str(), &info);
  return status_of(result, info);
}

std::optional<FileStatus> link_status(const std::string& path) {
  struct stat info{};
  const int result = ::lstat(path.c_str(), &info);
  return status_of(result, info);
}

std::optional<FileStatus> file_status(int fd) {
  struct stat info{};
  const int result = ::fstat(fd, &info);
  return status_of(result, info);
}

}  // namespace polygraphy
