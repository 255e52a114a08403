// The smallest part of a whole that still fails (A. Zeller, R. Hildebrandt: Simplifying and
// Isolating Failure-Inducing Input, 2002), for wholes whose parts follow upon each other.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/search/upcoming.h"

namespace polygraphy {

// Positions, ascending.
using Part = std::vector<size_t>;
// "0-4,7": the same for the same part only.
std::string to_text(const Part& part);

// Whether a part fails. `next`: parts that may be tested after it.
using PartTest = std::function<bool(const Part& part, const Upcoming<Part>& next)>;

// The minimal failing subset (ddmin). `fails` says whether a part fails; `whole` does. The result
// fails, and no single position can be taken from it: about 2 log2(n) tests when one position is at
// fault, and a few times that per further one. No part is tested twice. Where failing is monotone
// in prefixes and suffixes, these are tried first.
Part ddmin(const Part& whole, const PartTest& fails);

// The same of `count` positions, where nothing at all may fail, too: that is tested first, so that
// it takes one test where no position is needed.
Part minimal_subset(size_t count, const PartTest& fails);

}  // namespace polygraphy
