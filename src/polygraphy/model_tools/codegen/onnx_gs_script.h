// `template onnx-gs`: a Python script that loads a model, has room for edits, and saves it.
#pragma once

#include <string>

#include "polygraphy/model_tools/codegen/onnx_loaders.h"

namespace polygraphy {

// The script's text, for the original's polygraphy and onnx_graphsurgeon packages. The model's path
// is written as it stands; the result goes to MODEL_updated.onnx. `command_line`: the one that made
// the script, for its head.
std::string onnx_gs_script(const OnnxLoaderOptions& options, const std::string& command_line);

}  // namespace polygraphy
