// Models' graphs in a page of HTML that any browser shows, without a network.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pictures/report_page/report_page.h"
#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// Names of tensors of two models that stand for the same numbers.
using TensorPartners = std::vector<std::pair<std::string, std::string>>;

// The graphs of each model side by side, drawn in ranks, each node below those that it reads. Of
// two models, nodes that make `partners` are shown together. The same models give the same bytes.
// More than 50,000 nodes become a line of notes. O(structure * log).
ReportSection graphs_section(std::span<const VisualModel> models, std::string title = {},
                             const TensorPartners& partners = {});

// The viewer: a page of one model's graphs alone, of any size.
std::string viewer_page(const VisualModel& model);

}  // namespace polygraphy
