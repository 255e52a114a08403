// Shape inference of a loaded model.
#pragma once

#include "base/log.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy::cli {

// Commands pick from it: most infer when asked to (--shape-inference), some unless asked not to
// (--no-shape-inference).
extern const ArgGroup args_onnx_shape_inference;

// Whether shapes are inferred when the model is loaded.
bool wants_shape_inference(const ParsedArgs& args);

// Infers the model's shapes. Warns of nodes on which that failed, of the first few by name.
void infer_model_shapes(graphsurgeon::Model& model, Logger& log);

}  // namespace polygraphy::cli
