#include "polygraphy/models/sharding/split_constant.h"

#include <cassert>
#include <cstring>
#include <string>

#include "base/arrays/dtype.h"
#include "base/error.h"

namespace polygraphy {

Array part_of(const Array& values, int64_t axis, int64_t index, int64_t parts) {
  if (values.dtype() == DataType::kString) {
    throw Error("A tensor of texts cannot be split.", "Only weights can be split.");
  }
  Shape shape = values.shape();
  const auto at = static_cast<size_t>(axis);
  assert(at < shape.size() && shape[at] % parts == 0);
  int64_t outer = 1, inner = 1;
  for (size_t i = 0; i < at; ++i) outer *= shape[i];
  for (size_t i = at + 1; i < shape.size(); ++i) inner *= shape[i];
  shape[at] /= parts;
  const int64_t bits = shape[at] * inner * bit_width(values.dtype());
  if (bits % 8 != 0) {
    throw Error("Elements of " + std::to_string(bit_width(values.dtype())) +
                    " bits cannot be split along axis " + std::to_string(axis) + ": a part has " +
                    std::to_string(shape[at] * inner) +
                    " elements in a row, which do not end at a byte.",
                "Split among fewer devices.");
  }
  const auto chunk = static_cast<size_t>(bits / 8);
  const Array whole = values.contiguous_aligned(1);
  Array part = Array::uninitialized(values.dtype(), std::move(shape));
  std::byte* to = part.mutable_data();
  const std::byte* from = whole.data() + chunk * static_cast<size_t>(index);
  for (int64_t i = 0; i < outer && chunk != 0; ++i) {
    std::memcpy(to, from, chunk);
    to += chunk;
    from += chunk * static_cast<size_t>(parts);
  }
  return part;
}

}  // namespace polygraphy
