// Runners in separate processes (ours).
#pragma once

#include <optional>

#include "cli/session/environment.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "polygraphy/runtimes/worker/worker_runner.h"

namespace polygraphy::cli {

extern const ArgGroup args_isolation;

// --timeout in seconds; nullopt: it was not given. Throws Error for an invalid time.
std::optional<double> resolve_timeout(const ParsedArgs& args);
// nullopt: runners live in our process.
std::optional<Isolation> resolve_isolation(const ParsedArgs& args, const Environment& env);

}  // namespace polygraphy::cli
