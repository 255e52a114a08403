// Paths of a run that are in each other's way.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/comparison/run/run_options.h"

namespace polygraphy {

// Throws Error when two of the options name one target, or when a target is, or contains, one of
// the paths that are loaded. Reads nothing: only the texts of the paths count, as in the original.
void check_paths(const RunOptions& options, const std::vector<std::string>& loaded);

}  // namespace polygraphy
