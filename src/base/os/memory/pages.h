// Pages of memory, as the system hands them out. All but the sizes is advice, which may fail.
#pragma once

#include <cstddef>
#include <span>

namespace polygraphy {

size_t page_size();
size_t memory_of_machine();  // bytes

// The block gets pages of 2 MiB where such pages lie in it.
void use_huge_pages(void* block, size_t size);
// Pages that are about to be written, at once instead of by a fault for each. `begin`: of a page.
// Systems before Linux 5.14 do not know it, and need not.
void bring_in_pages(std::byte* begin, size_t size);
// The pages of a mapped file count as memory in use no longer, until they are read again.
void drop_pages(std::span<const std::byte> mapped);
// Memory that was freed goes to the system, before others need it.
void return_freed_memory();

}  // namespace polygraphy
