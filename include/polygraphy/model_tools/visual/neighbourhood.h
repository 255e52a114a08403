// The part of a model around one node or tensor.
#pragma once

#include <cstddef>
#include <string_view>

#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// The nodes at most `depth` edges from what has the name, in whichever graph; a tensor's writers
// and readers are one edge from it. A node is named by its name or its id. Graphs without such
// nodes are left out, and so are the subgraphs of nodes, which become attributes that say how large
// they are. Throws Error, with the nearest names, when nothing has the name. O(structure).
VisualModel neighbourhood(const VisualModel& model, std::string_view name, size_t depth);

}  // namespace polygraphy
