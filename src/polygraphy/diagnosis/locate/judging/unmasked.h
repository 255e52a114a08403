// The numbers beside those of an attention mask.
#pragma once

#include <optional>
#include <utility>

#include "base/arrays/array.h"

namespace polygraphy {

// Both with 0 in the place of numbers that a mask of the reference holds far below all others (-1e4
// and less; scores are added to them, or replaced): norms of the whole do not show errors of the
// others. nullopt: the reference has no such numbers, or the shapes differ. O(elements).
std::optional<std::pair<Array, Array>> unmasked(const Array& reference, const Array& observed);

// A copy in float32, in one piece.
Array floats_of(const Array& array);

}  // namespace polygraphy
