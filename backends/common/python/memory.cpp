#include "common/python/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "common/plugin.h"

namespace pgb::python {
namespace {

Failure no_memory(size_t size) {
  return Failure("no shared memory of " + std::to_string(size) +
                 " bytes for tensors: " + std::strerror(errno));
}

}  // namespace

FeedMemory::FeedMemory() : descriptor_(memfd_create("polygraphy-feeds", MFD_CLOEXEC)) {
  if (descriptor_ < 0) throw no_memory(0);
}

FeedMemory::~FeedMemory() {
  if (data_) munmap(data_, size_);
  close(descriptor_);
}

char* FeedMemory::reserve(size_t size) {
  if (size <= size_ && data_) return data_;
  if (data_) munmap(data_, size_);
  data_ = nullptr;
  constexpr size_t kLeast = 1 << 16;
  size_ = size < kLeast ? kLeast : size;
  if (ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) throw no_memory(size_);
  void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED) throw no_memory(size_);
  data_ = static_cast<char*>(memory);
  return data_;
}

OutputMemory* OutputMemory::map(int descriptor, size_t size) {
  void* memory = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  const int error = errno;
  close(descriptor);
  if (memory == MAP_FAILED) {
    errno = error;
    throw no_memory(size);
  }
  return new OutputMemory(static_cast<const char*>(memory), size);
}

OutputMemory::~OutputMemory() {
  munmap(const_cast<char*>(data_), size_);
}

void OutputMemory::retain(void* memory) {
  static_cast<OutputMemory*>(memory)->owners_.fetch_add(1, std::memory_order_relaxed);
}

void OutputMemory::release(void* memory) {
  auto* self = static_cast<OutputMemory*>(memory);
  if (self->owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete self;
}

}  // namespace pgb::python
