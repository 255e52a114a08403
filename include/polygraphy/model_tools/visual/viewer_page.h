// Models' graphs in a page of HTML that any browser shows, without a network.
#pragma once

#include <span>
#include <string>

#include "pictures/report_page/report_page.h"
#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// The graphs of each model side by side, drawn in ranks, each node below those that it reads. The
// same models give the same bytes. More than 50,000 nodes become a line of notes. O(structure *
// log).
ReportSection graphs_section(std::span<const VisualModel> models, std::string title = {});

// The viewer: a page of one model's graphs alone, of any size.
std::string viewer_page(const VisualModel& model);

}  // namespace polygraphy
