// Files that a plugin reads and writes itself: caches, which libraries hand over as bytes.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

#include "common/plugin.h"

namespace pgb {

// nullopt: the file is missing or unreadable. Throws Failure for a folder, a device or a pipe,
// which may have no end.
inline std::optional<std::string> read_file(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode)) throw bad_option(path + " is not a regular file", "Name a file.");
  std::ifstream file(path, std::ios::binary);
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  if (!file.read(bytes.data(), status.st_size)) return std::nullopt;
  return bytes;
}

// The bytes of a file, mapped, or bytes of another owner.
class FileBytes {
 public:
  FileBytes(const void* bytes, size_t count) : data_(const_cast<void*>(bytes)), size_(count) {}
  // Throws Failure.
  explicit FileBytes(const char* path) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status{};
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 0) {
      size_ = static_cast<size_t>(status.st_size);
      data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
      mapped_ = data_ != MAP_FAILED;
    }
    const int error = errno;
    if (fd >= 0) close(fd);
    if (!mapped_)
      throw Failure("Could not read " + std::string(path) + ": " +
                    (fd >= 0 && status.st_size == 0 ? "it is empty" : std::strerror(error)));
  }
  ~FileBytes() {
    if (mapped_) munmap(data_, size_);
  }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  const void* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
  bool mapped_ = false;
};

// The target of links, also for a file that does not exist yet.
inline std::string target_of(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;
  std::error_code ignored;
  fs::path target = path;
  for (int i = 0; i < kMostLinks && fs::is_symlink(target, ignored); ++i)
    target = target.parent_path() / fs::read_symlink(target, ignored);
  return target;
}

// True for a device or a pipe, which accepts output that cannot be read again.
inline bool is_stream(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

inline Failure cannot_write(const std::string& path, int error, pgb_status status) {
  return Failure("Could not write " + path + ": " + std::strerror(error),
                 "Check the folder, its permissions and the space on its disk.", status);
}

// Before the work that makes the file. Throws as write_file_atomically() would: for a folder, and
// where no file can be made. Nothing is left behind.
inline void check_writable(const std::string& path) {
  namespace fs = std::filesystem;
  const std::string target = target_of(path);
  std::error_code ignored;
  if (fs::is_directory(target, ignored)) throw bad_option(path + " is a folder", "Name a file.");
  if (is_stream(target)) return;
  fs::path folder = fs::absolute(target, ignored).parent_path();
  while (!fs::exists(folder, ignored) && folder.has_relative_path()) folder = folder.parent_path();
  const std::string trial =
      folder / (fs::path(target).filename().string() + ".part-" + std::to_string(getpid()));
  const int fd = open(trial.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0) throw cannot_write(path, errno, PGB_BAD_OPTION);
  close(fd);
  std::remove(trial.c_str());
}

// The file is whole or as it was; a link stays one, and a folder that is missing is made. A device
// or a pipe is written to. Throws Failure.
inline void write_file_atomically(const std::string& path, const void* bytes, size_t count) {
  check_writable(path);
  const std::string target = target_of(path);
  const bool stream = is_stream(target);
  std::error_code failed;  // the next call reports the error
  if (!stream)
    std::filesystem::create_directories(std::filesystem::path(target).parent_path(), failed);
  const std::string written_to = stream ? target : target + ".part-" + std::to_string(getpid());
  std::FILE* file = std::fopen(written_to.c_str(), "wb");
  const bool written = file && std::fwrite(bytes, 1, count, file) == count &&
                       std::fflush(file) == 0 && (stream || fsync(fileno(file)) == 0);
  int error = errno;
  const bool closed = file && std::fclose(file) == 0;
  if (written && closed && stream) return;
  if (written && closed && std::rename(written_to.c_str(), target.c_str()) == 0) {
    // The name survives a loss of power, too; not every file system can do that.
    const std::filesystem::path above = std::filesystem::absolute(target, failed).parent_path();
    const int folder = open(above.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) fsync(folder);
    if (folder >= 0) close(folder);
    return;
  }
  if (written) error = errno;
  if (!stream) std::remove(written_to.c_str());
  throw cannot_write(path, error, PGB_FAILED);
}

// "<path>.lock", held by one process at a time: several builds share a cache. A folder that is
// missing is made.
class FileLock {
 public:
  explicit FileLock(const std::string& path) {
    std::error_code failed;  // the next call reports the error
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failed);
    fd_ = open((path + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    while (fd_ >= 0 && flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FileLock() {
    if (fd_ >= 0) close(fd_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int fd_ = -1;  // -1: a folder that cannot be written; the caller's write reports that
};

}  // namespace pgb
