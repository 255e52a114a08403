// Loading an ONNX model.
#pragma once

#include <memory>

#include "base/log.h"
#include "cli/environment.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/backend/plugin_host.h"

namespace polygraphy::cli {

// Commands pick from it: sanitize calls the output options by shorter names.
extern const ArgGroup args_onnx_loading;
// What commands that take all outputs as they are need of it.
inline constexpr std::string_view kLoadingOptions =
    "--external-data-dir --ignore-external-data --fp-to-fp16";

// `path` is the model's. Where the parser has no output options, the model's own outputs stay.
ModelSource resolve_model_source(const ParsedArgs& args, const Environment& env,
                                 const std::string& path);

// Loads the model that `source` names (INFO `Loading model: …`), infers shapes, selects outputs and
// converts to float16 as `source` says. Throws Error. Reads no payload, and does not look for
// external data.
std::unique_ptr<graphsurgeon::Model> load_onnx(const ModelSource& source, Logger& log);

}  // namespace polygraphy::cli
