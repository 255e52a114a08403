// Completions for fish.
#pragma once

#include <string>

namespace polygraphy::cli {

std::string fish_completion();

}  // namespace polygraphy::cli
