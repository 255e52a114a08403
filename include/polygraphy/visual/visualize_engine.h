// What the viewer shows of networks and engines.
#pragma once

#include "polygraphy/engines/engine.h"
#include "polygraphy/engines/network.h"
#include "polygraphy/visual/visual_model.h"

namespace polygraphy {

// Layers are nodes. O(description).
VisualModel visualize(const NetworkDescription& network);
// A graph per profile, where profiles differ.
VisualModel visualize(const EngineDescription& engine);

}  // namespace polygraphy
