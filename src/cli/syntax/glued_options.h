// Command lines as guides print them, where a blank got lost: `--val-range[0,1]`, and a line that
// ends in `--fail-fast\` right after the word, so that the shell joins it with the next one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/syntax/syntax.h"

namespace polygraphy::cli {

// The words that were meant. Only words that mean nothing as they stand are taken apart, at full
// names of options: `--val-range[0,1]`, `--fail-fast--val-range[0,1]`, and `all--onnx-outputs`
// after `mark`. Nothing after `--`, or of what an option takes whatever it looks like (the rest of
// the line, the one word of a shell command), is looked at.
std::vector<std::string> separate_glued(const Syntax& syntax, std::span<const std::string> args);

}  // namespace polygraphy::cli
