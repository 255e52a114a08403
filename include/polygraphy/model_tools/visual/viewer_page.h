// The viewer: one page of HTML that any browser shows, without a network.
#pragma once

#include <string>

#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// The graphs are drawn in ranks, each node below those that it reads. The page needs no other
// files. The same model gives the same bytes. O(structure * log).
std::string viewer_page(const VisualModel& model);

}  // namespace polygraphy
