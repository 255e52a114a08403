// Running a model and keeping its inputs and outputs (spec C.16).
#pragma once

#include "cli/arg_group.h"
#include "cli/environment.h"
#include "cli/parser.h"
#include "polygraphy/compare/comparator.h"

namespace polygraphy::cli {

extern const ArgGroup args_inference;

void resolve_inference(const ParsedArgs& args, const Environment& env, RunOptions& options);

}  // namespace polygraphy::cli
