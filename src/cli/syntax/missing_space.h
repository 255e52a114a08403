// Repairs command lines that lost a space, as printed guides have them: `--val-range[0,1]`, and
// `--fail-fast\` at the end of a line, which the shell joins with the next line.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/syntax/syntax.h"

namespace polygraphy::cli {

// The words of the command line with the missing spaces inserted. Only words that mean nothing as
// they stand are split, at full names of options: `--val-range[0,1]`,
// `--fail-fast--val-range[0,1]`, and `all--onnx-outputs` after `mark`. Words after `--` and the
// values of options that accept any text (the rest of the line, a shell command) are left alone.
std::vector<std::string> insert_missing_spaces(const Syntax& syntax,
                                               std::span<const std::string> args);

}  // namespace polygraphy::cli
