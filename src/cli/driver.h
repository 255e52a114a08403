// The command line as a function.
#pragma once

#include <string>
#include <vector>

#include "cli/session/environment.h"

namespace polygraphy::cli {

// Runs `argv` (the program's name first) and returns the exit code: 0 success, 1
// something failed or something was wrong with what was given, 2 a usage error, 130 interrupted.
// Every message, those about errors included, has been written and flushed when it returns. Nothing
// is thrown.
int run_command_line(Environment& env, const std::vector<std::string>& argv);

}  // namespace polygraphy::cli
