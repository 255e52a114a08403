// The part of a model around one node or tensor.
#pragma once

#include <cstddef>
#include <string_view>

#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// The nodes at most `depth` edges from the node or tensor `name`, in any graph; a tensor's
// producers and consumers are one edge from it. A node is found by its name or its id. Leaves out
// graphs without such nodes; subgraphs of nodes become attributes with their sizes. Throws Error,
// with the nearest names, for an unknown name. O(structure).
VisualModel neighbourhood(const VisualModel& model, std::string_view name, size_t depth);

}  // namespace polygraphy
