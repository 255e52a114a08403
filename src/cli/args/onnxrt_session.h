// ONNX Runtime for commands without runners: `check lint`.
#pragma once

#include "cli/syntax/parser.h"
#include "polygraphy/runtimes/backend/session_options.h"

namespace polygraphy::cli {

BackendOptions resolve_onnxrt_session(const ParsedArgs& args);

}  // namespace polygraphy::cli
