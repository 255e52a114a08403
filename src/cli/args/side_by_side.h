// The checks of a search, several at a time (ours).
#pragma once

#include "cli/session/session.h"
#include "tasks/scheduler.h"

namespace polygraphy::cli {

// --on, or else --jobs and --launcher. Throws Error.
Allocation resolve_side_by_side(Session& session);

}  // namespace polygraphy::cli
