// The back ends' own options, as they were typed.
#pragma once

#include <string>

#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/runtimes/backend/session_options.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"

namespace polygraphy::cli {

// Paths are complete. Throws Error for one that is missing. Libraries are not among them.
BackendOptions resolve_backend_options(const ParsedArgs& args, const Environment& env,
                                       const pgb_backend_options& backend);
// The back end with these options, and with the library that its option names last.
RunnerSpec resolve_backend_spec(const ParsedArgs& args, const Environment& env,
                                const pgb_backend_options& backend);
// "--onnxrt-lib"; empty: it has none.
std::string library_option(const pgb_backend_options& backend);

}  // namespace polygraphy::cli
