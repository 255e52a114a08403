// The two sides that `debug locate` compares.
#pragma once

#include <vector>

#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/diagnosis/locate/locate_job.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"

namespace polygraphy::cli {

struct LocateSides {
  LocateSide reference, target;
};

// Of the selected runners and the results of --load-outputs; with --float-model, of one runner for
// both models. Throws Error.
LocateSides resolve_sides(const ParsedArgs& args, Environment& env,
                          const std::vector<RunnerSpec>& specs);

}  // namespace polygraphy::cli
