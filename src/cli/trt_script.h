// What TensorRT is to be told, for scripts that call it.
#pragma once

#include "base/log.h"
#include "cli/syntax/parser.h"
#include "polygraphy/codegen/trt_loaders.h"
#include "polygraphy/tensors/metadata.h"

namespace polygraphy::cli {

// Of the options that the command has. `shapes`: --input-shapes, of a profile where none is given.
// Warns of what has no effect. Throws Error.
TrtScript resolve_trt_script(const ParsedArgs& args, const Metadata& shapes, Logger& log);

}  // namespace polygraphy::cli
