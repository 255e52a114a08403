// Whether one model is faster than another, or only seems so.
#pragma once

#include <span>

namespace polygraphy {

// Seconds of runs that took turns: run i of the one stands beside run i of the other, so both saw
// the same machine. The candidate is faster if its median is lower, and if it won four of five
// pairs: of ten pairs of equal models, 5 in 100 do. At least one run of each.
bool is_faster(std::span<const double> candidate, std::span<const double> than);

}  // namespace polygraphy
