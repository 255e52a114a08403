// Translates the command line of `check consistency` into the library's job.
#pragma once

#include "cli/session/session.h"

namespace polygraphy::cli {

// Exit code: 1 where an engine does not agree with itself, or fails in one of the ways.
int run_consistency(Session& session);

}  // namespace polygraphy::cli
