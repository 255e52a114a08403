// Descriptors of open files, pipes and sockets, and the bytes that pass through them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace polygraphy {

constexpr int kStandardInput = 0, kStandardOutput = 1, kStandardError = 2;

// Owns a descriptor and closes it; errno stays as it was. Empty: negative.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    close();
    fd_ = other.release();
    return *this;
  }
  ~FileDescriptor() { close(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  // The caller closes it.
  int release() { return std::exchange(fd_, -1); }
  void close() noexcept;

 private:
  int fd_ = -1;
};

// All of the bytes, however many calls that takes. Returns 0 or the error number.
int write_all(int fd, std::string_view text);
// The same at an offset of a file, past its position.
int write_all_at(int fd, uint64_t offset, std::span<const std::byte> bytes);

// Fills `bytes` from an offset of a file, and returns their number, which is smaller at its end.
// nullopt, with the reason in errno: it cannot be read.
std::optional<size_t> read_all_at(int fd, uint64_t offset, std::span<std::byte> bytes);
// Reads once. 0: nothing has arrived yet, or a signal came. nullopt: at the end, or a failure.
std::optional<size_t> read_once(int fd, std::span<std::byte> bytes);

// Where data, or a hole, begins at or behind an offset of a file; -1, with the reason in errno,
// which is ENXIO behind the last. Moves the position.
int64_t next_data(int fd, uint64_t offset);
int64_t next_hole(int fd, uint64_t offset);

// Waits until the disk has the file's contents.
void sync_to_disk(int fd);
// Cuts a file, or extends it with zeros. False, with the reason in errno.
bool set_size(int fd, uint64_t size);

}  // namespace polygraphy
