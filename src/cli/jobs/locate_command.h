// Translates the command line of `debug locate` into the library's job.
#pragma once

#include "cli/session/session.h"

namespace polygraphy::cli {

// Exit code: 1 where a node is guilty, or numbers do not fit into the format.
int run_locate(Session& session);

}  // namespace polygraphy::cli
