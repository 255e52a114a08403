// The options of shape inference.
#pragma once

#include "cli/syntax/parser.h"
#include "polygraphy/models/loaders/infer_model_shapes.h"

namespace polygraphy::cli {

// Commands select from it: most infer with --shape-inference only, some unless --no-shape-inference
// is given.
// Whether shapes are inferred when the model is loaded.
bool wants_shape_inference(const ParsedArgs& args);

}  // namespace polygraphy::cli
