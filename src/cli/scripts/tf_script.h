// Options of TensorFlow for scripts that call it.
#pragma once

#include <optional>

#include "cli/syntax/parser.h"
#include "polygraphy/model_tools/codegen/tf_loaders.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy::cli {

// From the options of the command; nullopt: not a TensorFlow model.
std::optional<TfScript> resolve_tf_script(const ParsedArgs& args, const ModelSource& model);

// Throws Error unless the original makes an ONNX model of it: of one of TensorFlow, it does.
void require_onnx_in_script(const ModelSource& model);

}  // namespace polygraphy::cli
