#include "base/os/memory/memory_map.h"

#include <fcntl.h>
#include <sys/mman.h>

namespace polygraphy {

MemoryMap::MemoryMap(int fd, uint64_t offset, size_t size, Writes writes) {
  const int access = writes == Writes::kNone ? PROT_READ : PROT_READ | PROT_WRITE;
  const int kind = writes == Writes::kPrivate ? MAP_PRIVATE : MAP_SHARED;
  void* map = ::mmap(nullptr, size, access, kind, fd, static_cast<off_t>(offset));
  if (map == MAP_FAILED) return;
  data_ = static_cast<std::byte*>(map);
  size_ = size;
}

MemoryMap::~MemoryMap() {
  if (data_) ::munmap(data_, size_);
}

FileDescriptor make_memory_file(const char* name) {
  // No program, which a sandbox asks for; older systems lack the flag.
  const int fd = ::memfd_create(name, MFD_CLOEXEC | kNeverExecuted);
  return FileDescriptor(fd >= 0 ? fd : ::memfd_create(name, MFD_CLOEXEC));
}

void give_back(int memory_file, uint64_t offset, size_t size) {
  ::fallocate(memory_file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
              static_cast<off_t>(size));
}

}  // namespace polygraphy
