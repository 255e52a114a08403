// What the viewer shows of an ONNX model.
#pragma once

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// With the attributes as model_text() shows them, long ones cut, and a graph for each subgraph.
// Warns of each attribute of a kind that is not shown. O(structure); weights are not read.
VisualModel visualize(const graphsurgeon::Model& model, Logger& log);

}  // namespace polygraphy
