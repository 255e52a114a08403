// Making two outputs comparable, element by element, or saying why they are not. For
// all metrics.
#pragma once

#include <optional>

#include "base/arrays/array.h"
#include "base/log.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {

// `array` with the elements arranged in `shape`: transposed when the dimensions are the same in
// another order, else reshaped. Says so in the log. nullopt when the numbers of elements differ.
std::optional<Array> match_shape(const Array& array, const Shape& shape, Logger& log);

// False, with errors in the log, when the pair's shapes differ and `check_shapes` demands that they
// be equal, or the numbers of elements differ. Otherwise sets `a` and `b` to arrays of one shape.
bool match_shapes(const OutputPair& pair, bool check_shapes, Array& a, Array& b, Logger& log);

// Says that outputs of these types are not compared.
void refuse_types(const OutputPair& pair, Logger& log);

// Says once that shapes need not be equal.
void announce_shape_matching(Logger& log);

}  // namespace polygraphy
