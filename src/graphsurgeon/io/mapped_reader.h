// Sequential reading of mapped values: advises the kernel ahead of reads, and detects holes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/os/mapped_file.h"
#include "graphsurgeon/ir/payloads/payload.h"

namespace graphsurgeon {

// For values that are external or inline; for others all calls do nothing.
// Offsets are bytes from the first value, and only grow.
class MappedReader {
 public:
  // `values` outlives this.
  MappedReader(const Payload& values, std::string_view tensor);

  // [offset, offset + length) is read next. Nothing happens for the first kSilent bytes, so that
  // readers of the first bytes of many tensors touch no more pages than that.
  void at(uint64_t offset, uint64_t length);
  static constexpr uint64_t kSilent = 128 * 1024;

  // True when the file system knows that nothing was ever written there: all zeros.
  bool is_hole(uint64_t offset, uint64_t length);

 private:
  const polygraphy::MappedFile* file_ = nullptr;  // null: not mapped
  std::shared_ptr<const polygraphy::MappedFile> owner_;
  uint64_t begin_ = 0;    // of the values in the file
  uint64_t advised_ = 0;  // up to here
  uint64_t hole_end_ = 0, data_end_ = 0;
};

}  // namespace graphsurgeon
