// Memory that another process can see, handed out in blocks: a runtime that puts its outputs here
// need not have them copied.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/os/memory/memory_map.h"

namespace polygraphy {

// Blocks of a file in memory. Thread-safe. Freed blocks are reused, the smallest that fits first,
// and merged with free neighbours; only trim() returns memory to the system. At its end every block
// must be free, or never be touched again.
class SharedHeap {
 public:
  // An empty file. Throws Error.
  SharedHeap();
  SharedHeap(const SharedHeap&) = delete;
  SharedHeap& operator=(const SharedHeap&) = delete;

  int fd() const { return file_.get(); }
  // Of the file, which the other process maps.
  size_t size() const;

  // Aligned to kAlignment, contents undefined. Throws Error with the system's reason. O(log
  // blocks).
  static constexpr size_t kAlignment = 256;
  std::byte* allocate(size_t bytes);
  void free(const std::byte* block) noexcept;
  // Where in the file it lies; none: elsewhere.
  std::optional<size_t> offset_of(const void* address) const;
  // Returns unused memory to the system, except for `keep` bytes.
  void trim(size_t keep = 0) noexcept;

  // For a runtime's calls: ordinary memory for blocks that would be copied anyway (kShareFrom), and
  // for all blocks while this heap cannot grow. Null when out of memory.
  void* allocate_any(size_t bytes, size_t alignment) noexcept;
  void free_any(void* block) noexcept;

 private:
  // A part of the file, mapped. Behind each, a page of the file is left out, so that no free range
  // ever spans two.
  struct Segment {
    MemoryMap map;
    size_t touched = 0;  // bytes from the beginning on that the system has given memory for
  };
  using Segments = std::map<size_t, Segment>;  // by offset

  Segments::iterator add_segment(size_t bytes);
  void add_free(size_t offset, size_t bytes);
  void remove_free(std::map<size_t, size_t>::iterator range);

  FileDescriptor file_;
  size_t file_size_ = 0;
  size_t touched_ = 0;  // of all segments
  mutable std::mutex mutex_;
  Segments segments_;
  std::map<const std::byte*, size_t> offsets_;                            // of segments, by address
  std::map<size_t, size_t> free_;                                         // bytes, by offset
  std::set<std::pair<size_t, size_t>> free_by_size_;                      // (bytes, offset)
  std::unordered_map<const std::byte*, std::pair<size_t, size_t>> used_;  // (offset, bytes)
};

}  // namespace polygraphy
