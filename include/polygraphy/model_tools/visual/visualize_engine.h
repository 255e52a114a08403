// What the viewer shows of networks and engines.
#pragma once

#include "polygraphy/model_tools/visual/visual_model.h"
#include "polygraphy/runtimes/compiled/engine.h"
#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

// Layers are nodes. O(description).
VisualModel visualize(const NetworkDescription& network);
// A graph per profile, where profiles differ.
VisualModel visualize(const EngineDescription& engine);

}  // namespace polygraphy
