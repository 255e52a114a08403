// The job of `check lint`: its options as a library call, and the reports that are written.
#pragma once

#include "cli/session/session.h"

namespace polygraphy::cli {

// Understands the options, lints the model, and writes the reports. The exit code. Throws Error.
int run_lint(Session& session);

}  // namespace polygraphy::cli
