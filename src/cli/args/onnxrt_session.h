// ONNX Runtime where it is no runner (spec C.8): `check lint`.
#pragma once

#include "cli/arg_group.h"
#include "cli/parser.h"
#include "polygraphy/backend/instance.h"

namespace polygraphy::cli {

extern const ArgGroup args_onnxrt_session;

BackendOptions resolve_onnxrt_session(const ParsedArgs& args);

}  // namespace polygraphy::cli
