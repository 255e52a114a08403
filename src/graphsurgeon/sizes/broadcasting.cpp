#include "graphsurgeon/sizes/broadcasting.h"

namespace graphsurgeon {

std::optional<Shape> broadcast_shape(const std::vector<Shape>& shapes) {
  Shape result;
  for (const Shape& shape : shapes) {
    if (shape.size() > result.size())
      result.insert(result.begin(), shape.size() - result.size(), 1);
    const size_t offset = result.size() - shape.size();
    for (size_t i = 0; i < shape.size(); ++i) {
      int64_t& dim = result[offset + i];
      if (dim == 1) {
        dim = shape[i];
      } else if (shape[i] != 1 && shape[i] != dim) {
        return std::nullopt;
      }
    }
  }
  return result;
}

std::vector<int64_t> broadcast_indices(const Shape& from, const Shape& to) {
  const int64_t count = polygraphy::element_count(to);
  std::vector<int64_t> indices(static_cast<size_t>(count));
  std::vector<int64_t> strides(to.size(), 0);
  int64_t stride = 1;
  for (size_t i = from.size(); i-- > 0;) {
    strides[to.size() - from.size() + i] = from[i] == 1 ? 0 : stride;
    stride *= from[i];
  }
  std::vector<int64_t> at(to.size(), 0);
  int64_t index = 0;
  for (auto& out : indices) {
    out = index;
    for (size_t d = to.size(); d-- > 0;) {
      index += strides[d];
      if (++at[d] < to[d]) break;
      index -= strides[d] * to[d];
      at[d] = 0;
    }
  }
  return indices;
}

}  // namespace graphsurgeon
