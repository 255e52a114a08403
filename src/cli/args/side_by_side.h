// The checks of a search, several at a time (ours).
#pragma once

#include "cli/session/session.h"
#include "cli/syntax/arg_group.h"
#include "tasks/scheduler.h"

namespace polygraphy::cli {

extern const ArgGroup args_side_by_side;

// --on, or else --jobs and --launcher. Throws Error.
Allocation resolve_side_by_side(Session& session);

}  // namespace polygraphy::cli
