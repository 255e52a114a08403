// Completions for zsh: an autoloaded function.
#pragma once

#include <string>

namespace polygraphy::cli {

std::string zsh_completion();

}  // namespace polygraphy::cli
