// Memory that the plugin and its Python process both map: tensors lie in it.
#pragma once

#include <atomic>
#include <cstddef>

namespace pgb::python {

// Ours, for feeds: it grows.
class FeedMemory {
 public:
  FeedMemory();  // throws Failure
  ~FeedMemory();
  FeedMemory(const FeedMemory&) = delete;
  FeedMemory& operator=(const FeedMemory&) = delete;

  int descriptor() const { return descriptor_; }
  // At least `size` bytes; discards the old contents. Throws Failure.
  char* reserve(size_t size);

 private:
  int descriptor_;
  char* data_ = nullptr;
  size_t size_ = 0;
};

// Theirs, with the outputs of one inference. Lives as long as it is retained.
class OutputMemory {
 public:
  // Maps it and closes `descriptor`. One owner: the caller. Throws Failure.
  static OutputMemory* map(int descriptor, size_t size);

  const char* data() const { return data_; }
  size_t size() const { return size_; }
  bool has_one_owner() const { return owners_.load(std::memory_order_acquire) == 1; }

  static void retain(void* memory);
  static void release(void* memory);

 private:
  OutputMemory(const char* data, size_t size) : data_(data), size_(size) {}
  ~OutputMemory();

  const char* data_;
  size_t size_;
  std::atomic<int> owners_{1};
};

}  // namespace pgb::python
