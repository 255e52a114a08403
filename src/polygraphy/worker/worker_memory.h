// Tensors in memory that two processes share: one lends them, the other views them in place.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/arrays/tensor_map.h"
#include "polygraphy/backend/shared_heap.h"
#include "polygraphy/worker/worker_message.h"

namespace polygraphy {

class TensorLender {
 public:
  // `heap` must outlive this.
  explicit TensorLender(SharedHeap& heap) : heap_(heap) {}

  // Says in `fields` where the tensors lie in the heap; those that lie elsewhere are copied there,
  // and let go of. They stay as they are until they are taken back. Throws Error when there is not
  // enough memory.
  void lend(TensorMap tensors, FieldWriter& fields);
  // `loans`: what TensorBorrower::returned() says.
  void take_back(const std::vector<uint64_t>& loans);
  // For a borrower that is known to look no more.
  void take_everything_back() { lent_.clear(); }

 private:
  SharedHeap& heap_;
  uint64_t next_ = 0;
  std::unordered_map<uint64_t, std::vector<std::shared_ptr<const void>>> lent_;
};

class TensorBorrower {
 public:
  // Takes a descriptor of the other process' heap.
  explicit TensorBorrower(int fd) : fd_(fd) {}
  ~TensorBorrower();
  TensorBorrower(const TensorBorrower&) = delete;
  TensorBorrower& operator=(const TensorBorrower&) = delete;

  // Views of what has been lent, which may outlive this and the other process. Throws Error.
  TensorMap read(FieldReader& fields);
  // Loans of which no view is left, each named once.
  std::vector<uint64_t> returned();

 private:
  struct Map;

  int fd_;
  std::shared_ptr<Map> map_;
  std::vector<std::pair<uint64_t, std::weak_ptr<const void>>> loans_;
};

}  // namespace polygraphy
