// Files as memory of this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/os/files/descriptor.h"

namespace polygraphy {

// A mapped part of a file, which need not stay open.
class MemoryMap {
 public:
  enum class Writes : uint8_t { kNone, kPrivate, kShared };  // kPrivate: the file does not change

  MemoryMap() = default;
  // `offset`: a multiple of page_size(). Empty, with the reason in errno: the system refuses.
  MemoryMap(int fd, uint64_t offset, size_t size, Writes writes);
  MemoryMap(MemoryMap&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  MemoryMap& operator=(MemoryMap&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~MemoryMap();

  std::byte* data() const { return data_; }
  size_t size() const { return size_; }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

// MFD_NOEXEC_SEAL, a flag of files of no folder, which older headers lack.
inline constexpr unsigned kNeverExecuted = 0x8;

// A file of no folder, which other processes can map. `name`: for lists of the system. Empty, with
// the reason in errno.
FileDescriptor make_memory_file(const char* name);
// Its bytes there are zeros from now on, and take no memory.
void give_back(int memory_file, uint64_t offset, size_t size);

}  // namespace polygraphy
