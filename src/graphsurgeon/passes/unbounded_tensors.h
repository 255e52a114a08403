// Tensors with values that decide the size of others, where nothing bounds them (data-dependent
// shapes).
#pragma once

#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Tensors computed at run time, and not by Min, that set an output's size: the limit of a Range,
// the pads of a Pad, the sizes of a Resize, the repeats of a Tile, the shape of an Expand. Only
// where that output's shape is not known, or has a name for a dimension that no graph input and no
// earlier node has. In execution order (nodes of equal depth in file order), each tensor once; main
// graph only. The model should be folded and have its shapes inferred. O(graph). Throws Error for a
// graph with a cycle.
std::vector<const Tensor*> unbounded_tensors(const Graph& graph);

}  // namespace graphsurgeon
