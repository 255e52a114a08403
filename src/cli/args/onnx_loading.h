// Loading an ONNX model (spec C.5, C.6).
#pragma once

#include "base/log.h"
#include "cli/arg_group.h"
#include "cli/environment.h"
#include "cli/parser.h"
#include "polygraphy/backend/plugin_host.h"

namespace polygraphy::cli {

extern const ArgGroup args_onnx_loading;

// `path` is the model's. Where the parser has no output options, the model's own outputs stay.
ModelSource resolve_model_source(const ParsedArgs& args, const Environment& env,
                                 const std::string& path);

}  // namespace polygraphy::cli
