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
#include <iterator>
#include <optional>
#include <string>
#include <system_error>

#include "common/plugin.h"
#include "common/vendor_library.h"

namespace pgb {

// nullopt: there is none that can be read. Throws Failure for a folder, a device or a pipe, which
// may have no end.
inline std::optional<std::string> read_file(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode)) throw Failure(path + " is no regular file", "Name a file.");
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) return std::nullopt;
  return bytes;
}

// The bytes of a file, mapped, or those that somebody else has.
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

// The file is whole or as it was; a link stays one, and a folder that is missing is made. Throws
// Failure, also for what is no regular file.
inline void write_file_atomically(const std::string& path, const void* bytes, size_t count) {
  const std::string target = real_path(path.c_str());
  struct stat status{};
  if (stat(target.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    throw Failure(path + " is no regular file", "Name a file.");
  std::error_code failed;  // told by what follows
  std::filesystem::create_directories(std::filesystem::path(target).parent_path(), failed);
  const std::string temporary = target + ".part-" + std::to_string(getpid());
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  const bool written = file && std::fwrite(bytes, 1, count, file) == count &&
                       std::fflush(file) == 0 && fsync(fileno(file)) == 0;
  int error = errno;
  const bool closed = file && std::fclose(file) == 0;
  if (written && closed && std::rename(temporary.c_str(), target.c_str()) == 0) return;
  if (written) error = errno;
  std::remove(temporary.c_str());
  throw Failure("Could not write " + path + ": " + std::strerror(error),
                "Check the folder, its permissions and the space on its disk.");
}

// "<path>.lock", held by one process at a time: several builds share a cache.
class FileLock {
 public:
  explicit FileLock(const std::string& path)
      : fd_(open((path + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    while (fd_ >= 0 && flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FileLock() {
    if (fd_ >= 0) close(fd_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int fd_;  // -1: a folder that cannot be written; what follows says so
};

}  // namespace pgb
