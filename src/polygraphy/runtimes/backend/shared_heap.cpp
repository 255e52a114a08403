#include "polygraphy/runtimes/backend/shared_heap.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>

#include "base/error.h"
#include "base/os/system_error.h"
#include "base/thread_pool.h"
#include "polygraphy/runtimes/backend/values.h"

namespace polygraphy {
namespace {

constexpr size_t kSegment = size_t{32} << 20;  // bytes, at least
// Memory is taken from the system somewhat ahead: a quarter of the present memory, and this at
// most.
constexpr size_t kMostAhead = size_t{16} << 20;
constexpr int64_t kPiece = int64_t{1} << 20;  // bytes that one thread brings in at a time

size_t page() {
  static const auto size = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

size_t memory_of_machine() {
  return static_cast<size_t>(::sysconf(_SC_PHYS_PAGES)) * page();
}

size_t round_up(size_t value, size_t to) {
  return (value + to - 1) / to * to;
}

[[noreturn]] void fail(const char* what) {
  throw IoError(std::string("cannot share tensors with a runner's process: ") + what + ": " +
                system_reason(errno));
}

// Pages that are about to be written, at once and on all cores, instead of by a fault for each.
// Systems before Linux 5.14 do not know it, and need not.
void bring_in([[maybe_unused]] std::byte* begin, [[maybe_unused]] size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  const size_t before = reinterpret_cast<uintptr_t>(begin) % page();
  parallel_for(static_cast<int64_t>(bytes + before), kPiece, [&](int64_t from, int64_t to) {
    ::madvise(begin - before + from, static_cast<size_t>(to - from), MADV_POPULATE_WRITE);
  });
#endif
}

}  // namespace

SharedHeap::SharedHeap() : fd_(::memfd_create("polygraphy-tensors", MFD_CLOEXEC)) {
  if (fd_ < 0) fail("memfd_create");
}

SharedHeap::~SharedHeap() {
  for (const auto& [offset, segment] : segments_) ::munmap(segment.data, segment.size);
  ::close(fd_);
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
      fitting = free_by_size_.find({segment->second.size, segment->first});
    }
    const auto [available, offset] = *fitting;
    remove_free(free_.find(offset));
    if (available > bytes) add_free(offset + bytes, available - bytes);
    const auto found = std::prev(segments_.upper_bound(offset));
    Segment& segment = found->second;
    block = segment.data + (offset - found->first);
    used_.emplace(block, std::pair(offset, bytes));

    const size_t end = offset - found->first + bytes;
    if (end > segment.touched) {
      const size_t ahead = std::min(touched_ / 4, kMostAhead);
      fresh = segment.data + segment.touched;
      fresh_bytes = std::min(end + ahead, segment.size) - segment.touched;
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
  if (at >= segments_.at(offset).size) return std::nullopt;
  return offset + at;
}

void SharedHeap::trim(size_t keep) noexcept {
  const std::lock_guard lock(mutex_);
  for (auto it = segments_.begin(); it != segments_.end();) {
    const auto& [offset, segment] = *it;
    const auto range = free_.find(offset);
    if (range == free_.end() || range->second != segment.size) {
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
    ::munmap(segment.data, segment.size);
    ::fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                static_cast<off_t>(segment.size));
    offsets_.erase(segment.data);
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
  const size_t size = round_up(std::max(bytes, kSegment), page());
  size_t offset = 0;
  for (const auto& [begin, segment] : segments_) {
    if (begin >= offset + size + page()) break;
    offset = begin + segment.size + page();
  }
  // The system would take a file of any size, and end the process that fills it.
  if (size > memory_of_machine()) {
    errno = ENOMEM;
    fail("ftruncate");
  }
  if (offset + size > file_size_) {
    if (::ftruncate(fd_, static_cast<off_t>(offset + size)) != 0) fail("ftruncate");
    file_size_ = offset + size;
  }
  void* data =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, static_cast<off_t>(offset));
  if (data == MAP_FAILED) fail("mmap");
  auto* bytes_of_it = static_cast<std::byte*>(data);
  offsets_.emplace(bytes_of_it, offset);
  add_free(offset, size);
  return segments_.emplace(offset, Segment{bytes_of_it, size, 0}).first;
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
