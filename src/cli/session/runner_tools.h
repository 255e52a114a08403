// What runners of a command are made with.
#pragma once

#include "cli/session/session.h"
#include "polygraphy/runtimes/runner_spec/runner_tools.h"

namespace polygraphy::cli {

// Plugins and libraries (resolve_plugin_paths()), the running program for processes of their own,
// the user's Python (make_user_python()), and Ctrl-C. Throws Error when two plugins clash.
RunnerTools resolve_runner_tools(Session& session);

}  // namespace polygraphy::cli
