// Options of TensorRT for scripts that call it.
#pragma once

#include <string_view>

#include "base/log.h"
#include "cli/syntax/parser.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/model_tools/codegen/trt_loaders.h"

namespace polygraphy::cli {

// Headings of TensorRT's options, as GroupUse::heading takes them.
inline constexpr std::string_view kTrtConfigHeading = "TensorRT Builder Configuration";
inline constexpr std::string_view kTrtParserHeading = "TensorRT Plugins and ONNX Parser";
inline constexpr std::string_view kTrtNetworkHeading = "TensorRT Network";

// Of the options that the command has. `shapes`: --input-shapes, of a profile where none is given.
// Warns of what has no effect. Throws Error.
TrtScript resolve_trt_script(const ParsedArgs& args, const Metadata& shapes, Logger& log);

}  // namespace polygraphy::cli
