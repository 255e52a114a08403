// The user's own Python, which runs the scripts that options name.
#pragma once

#include <memory>

#include "base/log.h"
#include "cli/environment.h"
#include "polygraphy/python/user_python.h"

namespace polygraphy::cli {

// POLYGRAPHY_PYTHON, else that of the active environment (VIRTUAL_ENV, CONDA_PREFIX), else the
// python3 that PATH finds. Nothing is started before a script is to run; what scripts print goes
// where our own messages go, in order. `env` must stay alive.
std::shared_ptr<UserPython> make_user_python(Environment& env, Logger& log);

}  // namespace polygraphy::cli
