// Networks and engines as models for the viewer.
#pragma once

#include "polygraphy/model_tools/visual/visual_model.h"
#include "polygraphy/runtimes/compiled/engine.h"
#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

// Layers are nodes. O(description).
VisualModel visualize(const NetworkDescription& network);
// One graph, or a graph per profile if profiles differ.
VisualModel visualize(const EngineDescription& engine);

}  // namespace polygraphy
