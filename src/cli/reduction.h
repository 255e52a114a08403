// The job of `debug reduce`: its options as a library call, and what is said of the result.
#pragma once

#include "cli/session/session.h"

namespace polygraphy::cli {

// Understands the options, loads the model, reduces it, and saves and shows what was found. The
// exit code. Throws Error: as reduce(), and a check that passes on the model itself.
int run_reduction(Session& session);

}  // namespace polygraphy::cli
