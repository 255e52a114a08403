// What `locate` has found, as sections of a page for a browser.
#pragma once

#include <vector>

#include "pictures/report_page/report_page.h"
#include "polygraphy/diagnosis/locate/locate.h"
#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// The verdict, curves of the errors in the order of data, the guilty nodes in their places, worst
// elements, a table of all nodes, and how errors are distributed. `graph`: what the pictures of the
// guilty nodes' neighbourhoods are of; null: there are none. O(nodes), and the pictures.
std::vector<ReportSection> locate_sections(const LocateResult& result,
                                           const VisualModel* graph = nullptr);

}  // namespace polygraphy
