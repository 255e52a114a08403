#include "polygraphy/runtimes/decoding/joined_arrays.h"

#include <cassert>
#include <cstring>
#include <span>

namespace polygraphy {

Array joined(const std::vector<Array>& arrays, size_t axis) {
  if (arrays.size() == 1) return arrays.front();
  Shape shape = arrays.front().shape();
  assert(axis < shape.size());
  const int64_t outer = element_count(std::span(shape).first(axis));
  shape[axis] = 0;
  for (const Array& array : arrays) shape[axis] += array.shape()[axis];
  Array all = Array::uninitialized(arrays.front().dtype(), shape);
  if (all.size() == 0) return all;
  std::vector<Array> whole;
  for (const Array& array : arrays) whole.push_back(array.contiguous_aligned(1));
  std::byte* to = all.mutable_data();
  for (int64_t i = 0; i < outer; ++i) {
    for (const Array& array : whole) {
      const int64_t bytes = array.nbytes() / outer;
      if (bytes > 0) std::memcpy(to, array.data() + i * bytes, static_cast<size_t>(bytes));
      to += bytes;
    }
  }
  return all;
}

}  // namespace polygraphy
