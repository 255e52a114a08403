// Packages of the user's Python that add options and runners to `run`: entry points
// `polygraphy.run.plugins`, as in the original.
#pragma once

#include <string>
#include <vector>

#include "cli/session/environment.h"

namespace polygraphy::cli {

// Becomes the Python tool of the same name with the options of the packages, and does not return.
// Returns without an effect if there are no such packages, and if `ours`, the given options that
// the tool lacks, is not empty: then with a sentence about them. Starts Python to find the
// packages.
std::string become_extended_run(Environment& env, const std::vector<std::string>& argv,
                                const std::vector<std::string>& ours);

}  // namespace polygraphy::cli
