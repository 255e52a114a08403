// Names of nodes in the addresses of the viewer.
#pragma once

#include <cstddef>

#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// Sets the id of each node: its kind and its number within the kind; behind the number of the
// graph, if that is not the first.
void number_nodes(VisualModel& model);

}  // namespace polygraphy
