// The edges between the nodes of a graph, one for each tensor that is written and read.
#pragma once

#include <vector>

#include "polygraphy/model_tools/visual/layout/layered_layout.h"
#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// In the order of the nodes that read. Constants and tensors without a name have none. Of a tensor
// that several nodes write (parts of one buffer, in engines), the writers before the reader count,
// the last few of them; all, where none is before it. O(uses).
std::vector<LayoutEdge> visual_edges(const VisualGraph& graph);

// Inputs of the graph, and tensors of an outer one: their places among the nodes.
std::vector<size_t> visual_inputs(const VisualGraph& graph);

}  // namespace polygraphy
