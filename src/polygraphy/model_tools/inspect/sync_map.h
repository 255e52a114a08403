// The nodes that two models share, for Model Explorer.
#pragma once

#include <string>

#include "graphsurgeon/diff/diff.h"

namespace polygraphy {

// JSON that Model Explorer reads as a mapping for its split pane: a node in one model is selected
// with its partner in the other one, and nodes without a partner are marked. Of a report with
// partners (DiffOptions::partners). O(partners).
std::string sync_map(const graphsurgeon::DiffReport& report);

}  // namespace polygraphy
