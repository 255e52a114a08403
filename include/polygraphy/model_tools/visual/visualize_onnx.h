// An ONNX model as a model for the viewer.
#pragma once

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// Has the attributes of model_text(), long ones cut, and a graph for each subgraph. Warns of each
// attribute of a kind that has no text. O(structure); reads no weights.
VisualModel visualize(const graphsurgeon::Model& model, Logger& log);

}  // namespace polygraphy
