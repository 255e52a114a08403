// The options of saving an ONNX model.
#pragma once

#include <string_view>

#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/models/loaders/save_onnx.h"

namespace polygraphy::cli {

// The options for commands that write one model.
inline constexpr std::string_view kSavingOptions =
    "--output --save-external-data --external-data-size-threshold "
    "--no-save-all-tensors-to-one-file --share-external-data";

// Throws Error for a threshold that is not a number of bytes.
OnnxSaving resolve_onnx_saving(const ParsedArgs& args, const Environment& env);

}  // namespace polygraphy::cli
