#include "base/os/memory/pages.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace polygraphy {

size_t page_size() {
  static const auto size = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

size_t memory_of_machine() {
  return static_cast<size_t>(::sysconf(_SC_PHYS_PAGES)) * page_size();
}

void use_huge_pages(void* block, size_t size) {
  constexpr size_t kHugePage = size_t{2} << 20;
  const auto address = reinterpret_cast<uintptr_t>(block);
  const uintptr_t begin = (address + kHugePage - 1) / kHugePage * kHugePage;
  const uintptr_t end = (address + size) / kHugePage * kHugePage;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

void bring_in_pages([[maybe_unused]] std::byte* begin, [[maybe_unused]] size_t size) {
#ifdef MADV_POPULATE_WRITE
  ::madvise(begin, size, MADV_POPULATE_WRITE);
#endif
}

void drop_pages(std::span<const std::byte> mapped) {
  ::madvise(const_cast<std::byte*>(mapped.data()), mapped.size(), MADV_DONTNEED);
}

void return_freed_memory() {
  ::malloc_trim(0);
}

}  // namespace polygraphy
