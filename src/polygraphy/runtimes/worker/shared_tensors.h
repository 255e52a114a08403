// Tensors in memory that two processes share: the exporter puts them there, the importer views them
// in place.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/os/memory/memory_map.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/runtimes/backend/shared_heap.h"
#include "polygraphy/runtimes/worker/worker_message.h"

namespace polygraphy {

class SharedTensorExporter {
 public:
  // `heap` must outlive this.
  explicit SharedTensorExporter(SharedHeap& heap) : heap_(heap) {}

  // Exports one batch: writes to `fields` the structure of the values, and where their tensors lie
  // in the heap. Tensors that lie elsewhere are copied into the heap and freed. The batch stays in
  // the heap until it is released. Throws Error when there is not enough memory.
  void put(ValueMap values, FieldWriter& fields);
  // `batches`: from SharedTensorImporter::released().
  void release(const std::vector<uint64_t>& batches);
  // For an importer that no longer uses any batch.
  void release_all() { batches_.clear(); }

 private:
  SharedHeap& heap_;
  uint64_t next_ = 0;
  std::unordered_map<uint64_t, std::vector<std::shared_ptr<const void>>> batches_;
};

class SharedTensorImporter {
 public:
  // Takes ownership of `fd`, a descriptor of the other process' heap.
  explicit SharedTensorImporter(int fd) : file_(fd) {}

  // Views of one batch; they may outlive this and the other process. Throws Error.
  ValueMap get(FieldReader& fields);
  // Batches of which no view is left, each named once.
  std::vector<uint64_t> released();

 private:
  struct Batch;

  FileDescriptor file_;
  std::shared_ptr<const MemoryMap> map_;
  std::vector<std::pair<uint64_t, std::weak_ptr<const void>>> batches_;
};

}  // namespace polygraphy
