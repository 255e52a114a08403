// Threads of engines in tasks.
#pragma once

#include <vector>

#include "cli/syntax/parser.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"

namespace polygraphy::cli {

// As many as --task-cpus, unless the user gives another number: results may depend on it, so it is
// the same on all machines.
void set_threads(const ParsedArgs& args, std::vector<RunnerSpec>& runners);

// The same for the runner that computes the noise.
void set_noise_threads(const ParsedArgs& args, RunnerSpec& noise);

}  // namespace polygraphy::cli
