// Loading an ONNX model.
#pragma once

#include <string>

#include "cli/args/model.h"
#include "cli/session/environment.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy::cli {

// Commands pick from it: sanitize calls the output options by shorter names.
extern const ArgGroup args_onnx_loading;
// The options for commands that keep the model's outputs.
inline constexpr std::string_view kLoadingOptions =
    "--external-data-dir --ignore-external-data --fp-to-fp16";

// Of a model of any format.
ModelSource resolve_model_source(const ParsedArgs& args, const Environment& env,
                                 const ModelArgs& model);
// `path` is an ONNX model's. Where the parser has no output options, the model's own outputs stay.
ModelSource resolve_model_source(const ParsedArgs& args, const Environment& env,
                                 const std::string& path);

}  // namespace polygraphy::cli
