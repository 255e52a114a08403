// Bytes into an open file: in whole blocks, with space reserved ahead of them, and copied by the
// system where it can.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace polygraphy {

class FileOutput {
 public:
  // Output goes to the system in whole blocks at multiples of their size, which halves the cost of
  // the page cache. Up to this size the cache reuses recent pages; beyond it, a virtual machine may
  // have to find new ones, at up to eight times the cost.
  static constexpr size_t kBlock = size_t{32} << 10;

  // `path`: the file's, for messages.
  explicit FileOutput(std::string path) : path_(std::move(path)) {}

  // Reports of progress name this size as the final one.
  void expect(uint64_t bytes) { expected_ = bytes; }

  // From the front of this file, which the caller closes. `own`: a regular file with this single
  // writer and position.
  void begin(int fd, bool own);

  // All below throw IoError naming the path, the bytes written so far and the reason, and nothing
  // can be written after that.
  void write(std::span<const std::byte> bytes);
  // From descriptor `from`, without passing through the heap where the system can. Holes stay holes
  // if the file is `own`.
  void copy(int from, uint64_t offset, uint64_t length);
  // The two functions below require an `own` file, and replace written bytes.
  void rewrite(uint64_t offset, std::span<const std::byte> bytes);
  // Moves all from `offset` to the end back by `length` bytes, which are undefined then.
  void make_room(uint64_t offset, uint64_t length);
  // The file ends behind the last written byte.
  void give_back_reserve();
  // Ends the reports of progress: the file is in place.
  void end_progress() const;

  uint64_t written() const { return written_; }
  [[noreturn]] void fail(int error);
  // Throws if something has failed.
  void check();

 private:
  void advance(uint64_t bytes);
  void reserve(size_t size);
  uint64_t clone_range(int from, uint64_t offset, uint64_t length);
  uint64_t skip_hole(int from, uint64_t offset, uint64_t length);
  uint64_t copy_in_kernel(int from, uint64_t offset, uint64_t length);
  uint64_t send_file(int from, uint64_t offset, uint64_t length);
  void copy_by_hand(int from, uint64_t offset, uint64_t length);

  std::string path_;
  int fd_ = -1;
  bool own_ = false;
  int failed_ = 0;  // why a write failed
  std::optional<uint64_t> expected_;
  uint64_t written_ = 0;   // bytes handed to the system
  uint64_t reserved_ = 0;  // where the reserved space ends, if behind `written_`
};

}  // namespace polygraphy
