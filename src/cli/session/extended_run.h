// Packages of the user's Python that add options and runners to `run`: entry points
// `polygraphy.run.plugins`, as in the original.
#pragma once

#include <string>
#include <vector>

#include "cli/session/environment.h"

namespace polygraphy::cli {

// Becomes the Python tool of the same name with the options of the packages, and does not return;
// returns if there are no such packages. Starts Python to find them.
void become_extended_run(Environment& env, const std::vector<std::string>& argv);

}  // namespace polygraphy::cli
