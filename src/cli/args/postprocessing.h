// Changing outputs before they are compared (spec C.17).
#pragma once

#include "cli/arg_group.h"
#include "cli/parser.h"
#include "polygraphy/compare/comparator.h"

namespace polygraphy::cli {

extern const ArgGroup args_postprocessing;

// Throws Error for functions that there are not.
void resolve_postprocessing(const ParsedArgs& args, RunOptions& options, Logger& log);

}  // namespace polygraphy::cli
