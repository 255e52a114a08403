// How far large files are while they are written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace polygraphy {

// While this lives, AtomicFile reports the written bytes after every 64 MiB of a file, and 0 when
// such a file is in place. For files of its thread only; the latest watch counts.
class WriteWatch {
 public:
  using Tell = std::function<void(const std::string& path, uint64_t bytes)>;
  explicit WriteWatch(Tell tell);
  ~WriteWatch();
  WriteWatch(const WriteWatch&) = delete;
  WriteWatch& operator=(const WriteWatch&) = delete;

 private:
  friend void tell_in_place(const std::string& path, uint64_t bytes);
  friend void tell_written(const std::string& path, uint64_t before, uint64_t after);
  Tell tell_;
  const WriteWatch* previous_;
};

// A file of this size is in place.
void tell_in_place(const std::string& path, uint64_t bytes);
// A file has grown from `before` to `after` bytes.
void tell_written(const std::string& path, uint64_t before, uint64_t after);

}  // namespace polygraphy
