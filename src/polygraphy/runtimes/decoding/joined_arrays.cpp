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

Array last_of(const Array& array, size_t axis, int64_t count) {
  Shape shape = array.shape();
  assert(axis < shape.size());
  if (shape[axis] <= count || array.size() == 0) return array;
  const int64_t outer = element_count(std::span(shape).first(axis));
  const Array whole = array.contiguous_aligned(1);
  const int64_t bytes = whole.nbytes() / outer, kept = bytes / shape[axis] * count;
  shape[axis] = count;
  Array last = Array::uninitialized(array.dtype(), shape);
  for (int64_t i = 0; i < outer; ++i) {
    std::memcpy(last.mutable_data() + i * kept, whole.data() + (i + 1) * bytes - kept,
                static_cast<size_t>(kept));
  }
  return last;
}

}  // namespace polygraphy
