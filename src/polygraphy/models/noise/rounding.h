// Numbers of an array, rounded to a coarser format.
#pragma once

#include <cstdint>
#include <optional>

#include "base/arrays/array.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// What the array's numbers become in `format`, in the array's own type: those that lie beyond the
// format become infinite, or NaN where it has no infinity. An array without floating-point numbers
// is returned as it is. Contiguous, O(bytes).
//
// Without a seed: to nearest, ties to even. With one: stochastically (D. S. Parker, Monte Carlo
// Arithmetic, 1997): up or down, the nearer of both more likely, so that the mean is the number
// itself, and a number that the format holds stays as it is. float32 holds all of its own numbers:
// they become a neighbour, or stay. The same seed gives the same numbers, for any number of
// threads.
Array round_to(const Array& values, NumberFormat format,
               std::optional<uint64_t> seed = std::nullopt);

}  // namespace polygraphy
