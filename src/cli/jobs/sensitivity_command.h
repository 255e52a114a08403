// Translates the command line of `debug sensitivity` into the library's job.
#pragma once

#include "cli/session/session.h"

namespace polygraphy::cli {

// Exit code: 1 where the mixed model is beyond the limit.
int run_sensitivity(Session& session);

}  // namespace polygraphy::cli
