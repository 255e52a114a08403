// An ONNX model as a model for the viewer.
#pragma once

#include <cstdint>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// Has the attributes of model_text(), long ones cut, and a graph for each subgraph. Warns of each
// attribute of a kind that has no text. Reads the values of constants as long as these have at most
// `most_values` elements together; notes of others say so. O(structure + values).
VisualModel visualize(const graphsurgeon::Model& model, Logger& log, int64_t most_values = 0);

// A second of one core.
inline constexpr int64_t kMostShownValues = int64_t{64} << 20;

}  // namespace polygraphy
