// The graphs of a model as one still picture.
#pragma once

#include <string>

#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// SVG that any browser shows, without scripts, fonts or further files: nodes in ranks, each below
// those that it reads; shapes beside edges; types, constants and attributes as tooltips. A subgraph
// is a separate box below the graph, connected to its node. Beyond a few thousand nodes, nodes show
// only their operators, and edges are straight. The same model gives the same bytes. O(structure *
// log).
std::string graph_svg(const VisualModel& model);

}  // namespace polygraphy
