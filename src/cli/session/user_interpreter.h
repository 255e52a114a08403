// The Python interpreter that runs the user's scripts.
#pragma once

#include <memory>

#include "base/log.h"
#include "cli/session/environment.h"
#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy::cli {

// The interpreter that make_user_python() would start; sets no other option.
PythonOptions find_python(const Environment& env);

// POLYGRAPHY_PYTHON, else the Python of the first of python_environments(), else the python3 that
// PATH finds. It starts when the first script runs; output of scripts goes where our own messages
// go, in order. `env` must stay alive.
std::shared_ptr<UserPython> make_user_python(Environment& env, Logger& log);

}  // namespace polygraphy::cli
