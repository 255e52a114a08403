// The tools that make a command's runners.
#pragma once

#include "cli/session/session.h"
#include "polygraphy/runtimes/runner_spec/runner_tools.h"

namespace polygraphy::cli {

// Plugins and libraries (resolve_plugin_paths()), the running program for worker processes, the
// user's Python (make_user_python()), and Ctrl-C. Throws Error when two plugins clash.
RunnerTools resolve_runner_tools(Session& session);

}  // namespace polygraphy::cli
