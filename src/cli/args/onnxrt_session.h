// ONNX Runtime for commands without runners: `check lint`.
#pragma once

#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "polygraphy/runtimes/backend/session_options.h"

namespace polygraphy::cli {

extern const ArgGroup args_onnxrt_session;

BackendOptions resolve_onnxrt_session(const ParsedArgs& args);

}  // namespace polygraphy::cli
