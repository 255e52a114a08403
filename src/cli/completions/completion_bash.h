// Completions for bash: a script to be sourced.
#pragma once

#include <string>

namespace polygraphy::cli {

std::string bash_completion();

}  // namespace polygraphy::cli
