// Loading an ONNX model.
#pragma once

#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy::cli {

// The options for commands that keep the model's outputs.
inline constexpr std::string_view kLoadingOptions =
    "--external-data-dir --ignore-external-data --fp-to-fp16";

// Sets the fields of these options. Where the parser has no output options, the model's own
// outputs stay.
void resolve_onnx_loading(const ParsedArgs& args, const Environment& env, ModelSource& model);

}  // namespace polygraphy::cli
