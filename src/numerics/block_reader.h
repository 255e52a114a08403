// Blocks of a BlockSource in the element type that an algorithm computes in.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "numerics/block_source.h"

namespace polygraphy {

// An array as a source that caches its last block: several readers of one block cost one
// conversion.
class CachedBlockSource : public BlockSource {
 public:
  explicit CachedBlockSource(const Array& array)
      : BlockSource(array.dtype(), array.shape()), source_(array) {}

  const void* read(int64_t start, int64_t count) override {
    if (start != start_ || count != count_) {
      block_ = source_.read(start, count);
      start_ = start;
      count_ = count;
    }
    return block_;
  }

 private:
  ArraySource source_;
  int64_t start_ = -1, count_ = -1;
  const void* block_ = nullptr;
};

template <typename To, typename From>
const To* converted(const void* from, int64_t count, std::vector<uint64_t>& buffer) {
  static_assert(sizeof(To) <= sizeof(uint64_t));
  const From* source = static_cast<const From*>(from);
  To* target = reinterpret_cast<To*>(buffer.data());
  for (int64_t i = 0; i < count; ++i) target[i] = static_cast<To>(source[i]);
  return target;
}

// A block of `source` as T, converted into `buffer` only if its compute type is another. The
// buffer has room for a block.
template <typename T>
const T* read_as(BlockSource& source, int64_t start, int64_t count, std::vector<uint64_t>& buffer) {
  const void* block = source.read(start, count);
  switch (compute_type_of(source.dtype())) {
    case ComputeType::kFloat:
      if constexpr (std::is_same_v<T, float>) return static_cast<const T*>(block);
      return converted<T, float>(block, count, buffer);
    case ComputeType::kDouble:
      if constexpr (std::is_same_v<T, double>) return static_cast<const T*>(block);
      return converted<T, double>(block, count, buffer);
    case ComputeType::kInt64:
      if constexpr (std::is_same_v<T, int64_t>) return static_cast<const T*>(block);
      return converted<T, int64_t>(block, count, buffer);
    case ComputeType::kUint64:
      if constexpr (std::is_same_v<T, uint64_t>) return static_cast<const T*>(block);
      return converted<T, uint64_t>(block, count, buffer);
  }
  return nullptr;
}

}  // namespace polygraphy
