// Two arrays read side by side, block by block, in the arithmetic that NumPy would compare them in
// after the original's widening.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "numerics/block_source.h"

namespace polygraphy {

enum class Arithmetic { kBool, kSigned, kUnsigned, kFloat, kDouble, kComplex };

// Neither is a string.
Arithmetic arithmetic_of(DataType a, DataType b);

// One element of a real or complex array as a complex number. The array is contiguous and aligned.
std::complex<double> complex_at(const Array& array, int64_t index);

// Complex arithmetic on these takes double precision.
bool needs_double(DataType a, DataType b);

// Remembers the block read last, so that several readers of one block cost one conversion.
class RememberingSource : public BlockSource {
 public:
  explicit RememberingSource(const Array& array)
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

// A block of `source` as T, converted into `buffer` only where its lane is another. The buffer has
// room for a block.
template <typename T>
const T* read_as(BlockSource& source, int64_t start, int64_t count, std::vector<uint64_t>& buffer) {
  const void* block = source.read(start, count);
  switch (lane_of(source.dtype())) {
    case Lane::kFloat:
      if constexpr (std::is_same_v<T, float>) return static_cast<const T*>(block);
      return converted<T, float>(block, count, buffer);
    case Lane::kDouble:
      if constexpr (std::is_same_v<T, double>) return static_cast<const T*>(block);
      return converted<T, double>(block, count, buffer);
    case Lane::kInt64:
      if constexpr (std::is_same_v<T, int64_t>) return static_cast<const T*>(block);
      return converted<T, int64_t>(block, count, buffer);
    case Lane::kUint64:
      if constexpr (std::is_same_v<T, uint64_t>) return static_cast<const T*>(block);
      return converted<T, uint64_t>(block, count, buffer);
  }
  return nullptr;
}

// Exact for the whole range of T.
template <typename T>
uint64_t distance(T a, T b) {
  return a > b ? static_cast<uint64_t>(a) - static_cast<uint64_t>(b)
               : static_cast<uint64_t>(b) - static_cast<uint64_t>(a);
}

}  // namespace polygraphy
