// The format of numbers that a runner of the command line computes in.
#pragma once

#include <cstddef>

#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy::cli {

// Of the `index`-th runner, what its back end's options say; where they say nothing, and for
// results from files, float32.
NumberFormat target_format(const ParsedArgs& args, const Environment& env, size_t index);

}  // namespace polygraphy::cli
