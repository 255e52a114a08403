// Running a model and keeping its inputs and outputs.
#pragma once

#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/comparison/compare/run_and_compare.h"

namespace polygraphy::cli {

void resolve_inference(const ParsedArgs& args, const Environment& env, CompareOptions& options);

}  // namespace polygraphy::cli
