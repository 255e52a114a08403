// Results of locate() as sections of a page for a browser.
#pragma once

#include <vector>

#include "pictures/report_page/report_page.h"
#include "polygraphy/diagnosis/locate/locate_result.h"
#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// The verdict, curves of the errors in the order of data, the guilty nodes in their places, worst
// elements, a table of all nodes, and the distribution of errors. `graph`: the model for pictures
// of the guilty nodes' neighbourhoods; null: no pictures. O(nodes), and the pictures.
std::vector<ReportSection> locate_sections(const LocateResult& result,
                                           const VisualModel* graph = nullptr);

}  // namespace polygraphy
