// The options of `debug reduce` as a job of the library.
#pragma once

#include "cli/session/session.h"

namespace polygraphy::cli {

// Resolves the options and runs the job (polygraphy/reduce/reduce_job.h). Returns the exit code.
// Throws Error: as the job, and options that do not go together.
int run_reduction(Session& session);

}  // namespace polygraphy::cli
