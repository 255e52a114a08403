// Changing outputs before they are compared.
#pragma once

#include "cli/syntax/parser.h"
#include "polygraphy/comparison/compare/run_and_compare.h"

namespace polygraphy::cli {

// Throws Error for functions that there are not.
void resolve_postprocessing(const ParsedArgs& args, CompareOptions& options, Logger& log);

}  // namespace polygraphy::cli
