// `polygraphy zoo`, and its tasks.
#pragma once

#include "cli/session/session.h"

namespace polygraphy::cli {

// Returns the exit code. Throws Error.
int zoo_command(Session& session);

}  // namespace polygraphy::cli
