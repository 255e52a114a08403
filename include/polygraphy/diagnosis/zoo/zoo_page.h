// Results of a zoo as sections of a page.
#pragma once

#include <vector>

#include "pictures/report_page/report_page.h"
#include "polygraphy/diagnosis/zoo/zoo_result.h"

namespace polygraphy {

// The verdict, and a table of all models on all engines.
std::vector<ReportSection> zoo_sections(const ZooResult& result);

}  // namespace polygraphy
