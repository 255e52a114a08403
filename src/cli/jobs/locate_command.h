// What the command line of `debug locate` says, in terms of the library.
#pragma once

#include "cli/session/session.h"

namespace polygraphy::cli {

// Exit code: 1 where a node is guilty, or numbers do not fit into the format.
int run_locate(Session& session);

}  // namespace polygraphy::cli
