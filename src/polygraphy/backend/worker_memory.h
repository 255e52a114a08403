// Tensors in memory that two processes share: written once by one, viewed by the other.
#pragma once

#include <cstddef>
#include <memory>

#include "polygraphy/backend/worker_message.h"
#include "polygraphy/data/tensor_map.h"

namespace polygraphy {

// A file in memory and its map. Arrays that view the map keep it, and it alone, alive.
class SharedMemory {
 public:
  SharedMemory() = default;  // none yet
  // Takes a descriptor that the other process has sent.
  explicit SharedMemory(int fd) : fd_(fd) {}
  ~SharedMemory();
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  // An empty file. Throws Error.
  static SharedMemory create();

  explicit operator bool() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  // Nobody but this object looks at what is mapped.
  bool unused() const { return map_.use_count() <= 1; }

  // Puts the tensors into the memory, which grows where needed, and says in `fields` what lies
  // where. Each is let go of once it has been copied. Throws Error when there is not enough memory.
  void write(TensorMap tensors, FieldWriter& fields);
  // Views of what the other process has written. Throws Error.
  TensorMap read(FieldReader& fields);

 private:
  struct Map;
  void map(size_t size);

  int fd_ = -1;
  std::shared_ptr<Map> map_;
};

}  // namespace polygraphy
