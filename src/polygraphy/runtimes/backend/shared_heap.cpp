#include "polygraphy/runtimes/backend/shared_heap.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>

#include "base/error.h"
#include "base/os/memory/pages.h"
#include "base/os/system_error.h"
#include "base/thread_pool.h"
#include "polygraphy/runtimes/backend/values.h"

namespace polygraphy {
namespace {

constexpr size_t kSegment = size_t{32} << 20;  // bytes, at least
// Memory is taken from the system somewhat ahead: a part of the present memory, and this at most.
// Pages that no tensor needs cost as much as others.
constexpr size_t kMostAhead = size_t{16} << 20;
constexpr int64_t kPiece = int64_t{1} << 20;  // bytes that one thread brings in at a time

size_t round_up(size_t value, size_t to) {
  return (value + to - 1) / to * to;
}

[[noreturn]] void fail(const char* what) {
  throw IoError(std::string("cannot share tensors with a runner's process: ") + what + ": " +
                system_reason(errno));
}

void bring_in(std::byte* begin, size_t bytes) {
  const size_t before = reinterpret_cast<uintptr_t>(begin) % page_size();
  parallel_for(static_cast<int64_t>(bytes + before), kPiece, [&](int64_t from, int64_t to) {
    bring_in_pages(begin - before + from, static_cast<size_t>(to - from));
  });
}

}  // namespace

SharedHeap::SharedHeap() : file_(make_memory_file("polygraphy-tensors")) {
  if (!file_) fail("memfd_create");
}

size_t SharedHeap::size() const {
  const std::lock_guard lock(mutex_);
  return file_size_;
}

std::byte* SharedHeap::allocate(size_t bytes) {
  bytes = round_up(std::clamp<size_t>(bytes, 1, SIZE_MAX / 2), kAlignment);
  std::byte *block = nullptr, *fresh = nullptr;
  size_t fresh_bytes = 0;
  {
    const std::lock_guard lock(mutex_);
    auto fitting = free_by_size_.lower_bound({bytes, 0});
    if (fitting == free_by_size_.end()) {
      const auto segment = add_segment(bytes);
      fitting = free_by_size_.find({segment->second.map.size(), segment->first});
    }
    const auto [available, offset] = *fitting;
    remove_free(free_.find(offset));
    if (available > bytes) add_free(offset + bytes, available - bytes);
    const auto found = std::prev(segments_.upper_bound(offset));
    Segment& segment = found->second;
    block = segment.map.data() + (offset - found->first);
    used_.emplace(block, std::pair(offset, bytes));

    const size_t end = offset - found->first + bytes;
    if (end > segment.touched) {
      const size_t ahead = std::min(touched_ / 16, kMostAhead);
      fresh = segment.map.data() + segment.touched;
      fresh_bytes = std::min(end + ahead, segment.map.size()) - segment.touched;
      segment.touched += fresh_bytes;
      touched_ += fresh_bytes;
    }
  }
  if (fresh_bytes > 0) bring_in(fresh, fresh_bytes);
  return block;
}

void SharedHeap::free(const std::byte* block) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = used_.find(block);
  if (found == used_.end()) return;
  const auto [offset, bytes] = found->second;
  used_.erase(found);
  add_free(offset, bytes);
}

std::optional<size_t> SharedHeap::offset_of(const void* address) const {
  const auto* byte = static_cast<const std::byte*>(address);
  const std::lock_guard lock(mutex_);
  const auto behind = offsets_.upper_bound(byte);
  if (behind == offsets_.begin()) return std::nullopt;
  const auto& [data, offset] = *std::prev(behind);
  const auto at = static_cast<size_t>(byte - data);
  if (at >= segments_.at(offset).map.size()) return std::nullopt;
  return offset + at;
}

void SharedHeap::trim(size_t keep) noexcept {
  const std::lock_guard lock(mutex_);
  for (auto it = segments_.begin(); it != segments_.end();) {
    const auto& [offset, segment] = *it;
    const auto range = free_.find(offset);
    if (range == free_.end() || range->second != segment.map.size()) {
      ++it;
      continue;
    }
    if (segment.touched <= keep) {
      keep -= segment.touched;
      ++it;
      continue;
    }
    remove_free(range);
    touched_ -= segment.touched;
    give_back(file_.get(), offset, segment.map.size());
    offsets_.erase(segment.map.data());
    it = segments_.erase(it);
  }
}

void* SharedHeap::allocate_any(size_t bytes, size_t alignment) noexcept {
  if (bytes >= kShareFrom && alignment <= kAlignment) {
    try {
      return allocate(bytes);
    } catch (const std::exception& error) {  // then they are copied later on
      static_cast<void>(error);
    }
  }
  return std::aligned_alloc(alignment, round_up(bytes, alignment));
}

void SharedHeap::free_any(void* block) noexcept {
  offset_of(block) ? free(static_cast<std::byte*>(block)) : std::free(block);
}

// In the first gap of the file that is large enough.
SharedHeap::Segments::iterator SharedHeap::add_segment(size_t bytes) {
  const size_t size = round_up(std::max(bytes, kSegment), page_size());
  size_t offset = 0;
  for (const auto& [begin, segment] : segments_) {
    if (begin >= offset + size + page_size()) break;
    offset = begin + segment.map.size() + page_size();
  }
  // The system would take a file of any size, and end the process that fills it.
  if (size > memory_of_machine()) {
    errno = ENOMEM;
    fail("ftruncate");
  }
  if (offset + size > file_size_) {
    if (!set_size(file_.get(), offset + size)) fail("ftruncate");
    file_size_ = offset + size;
  }
  MemoryMap map(file_.get(), offset, size, MemoryMap::Writes::kShared);
  if (!map) fail("mmap");
  offsets_.emplace(map.data(), offset);
  add_free(offset, size);
  return segments_.emplace(offset, Segment{std::move(map), 0}).first;
}

void SharedHeap::add_free(size_t offset, size_t bytes) {
  auto next = free_.lower_bound(offset);
  if (next != free_.end() && next->first == offset + bytes) {
    bytes += next->second;
    const auto joined = next++;
    remove_free(joined);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == offset) {
      offset = before->first;
      bytes += before->second;
      remove_free(before);
    }
  }
  free_.emplace(offset, bytes);
  free_by_size_.emplace(bytes, offset);
}

void SharedHeap::remove_free(std::map<size_t, size_t>::iterator range) {
  free_by_size_.erase({range->second, range->first});
  free_.erase(range);
}

}  // namespace polygraphy
