// Numbers of an array, rounded to a coarser format.
#pragma once

#include <cstdint>
#include <optional>

#include "base/arrays/array.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// The array's numbers rounded to `format`, in the array's type: numbers beyond the format become
// infinite, or NaN if it has no infinity. Returns an array without floating-point numbers
// unchanged. Contiguous, O(bytes).
//
// Without a seed: to nearest, ties to even. With one: stochastically (D. S. Parker, Monte Carlo
// Arithmetic, 1997): up or down, the nearer of both more likely, so that the mean is the number
// itself, and an exactly representable number stays. float32 holds all of its numbers: they become
// a neighbour, or stay. The same seed gives the same numbers, for any number of threads.
Array round_to(const Array& values, NumberFormat format,
               std::optional<uint64_t> seed = std::nullopt);

// Numbers that may have been these before they were rounded to `format`: moved by up to half a step
// of it. In the array's type, else as round_to() with a seed.
Array moved_within(const Array& values, NumberFormat format, uint64_t seed);

}  // namespace polygraphy
