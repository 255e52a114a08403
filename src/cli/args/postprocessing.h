// Changing outputs before they are compared.
#pragma once

#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "polygraphy/comparison/compare/run_and_compare.h"

namespace polygraphy::cli {

extern const ArgGroup args_postprocessing;

// Throws Error for functions that there are not.
void resolve_postprocessing(const ParsedArgs& args, CompareOptions& options, Logger& log);

}  // namespace polygraphy::cli
