// NumPy's broadcasting.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/arrays/array.h"

namespace graphsurgeon {

using polygraphy::Shape;

// The result of NumPy's broadcasting of the shapes; nullopt if they do not match.
std::optional<Shape> broadcast_shape(const std::vector<Shape>& shapes);
// For each element of `to`, in C order, the flat index of the one of `from` that it repeats.
std::vector<int64_t> broadcast_indices(const Shape& from, const Shape& to);

}  // namespace graphsurgeon
