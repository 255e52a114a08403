// Requirements of a comparison, before it starts.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "polygraphy/comparison/compare/run_and_compare.h"

namespace polygraphy {

// Averages of several iterations do not go together with stopping at the first failure, nor with
// checking each element.
inline constexpr ErrorCode kAverageWithFailFast{"average-with-fail-fast"};
inline constexpr ErrorCode kAverageOfElements{"average-of-elements"};
// Outputs must be compared, but there are fewer than two runs.
inline constexpr ErrorCode kNothingToCompare{"nothing-to-compare"};

// Throws Error unless the options allow averages (CompareOptions::check_average).
void require_averages(const CompareOptions& options);
// Throws Error unless there are two runs to compare (CompareOptions::must_compare).
void require_pair(const std::vector<std::string>& runs);

}  // namespace polygraphy
