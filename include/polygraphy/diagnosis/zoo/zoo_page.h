// Results of a zoo as sections of a page.
#pragma once

#include <string>
#include <vector>

#include "pictures/report_page/report_page.h"
#include "polygraphy/diagnosis/zoo/zoo_result.h"

namespace polygraphy {

// The verdict, counts of stages, and a table of all models on all engines. `folder`: that of the
// models' pages, from the folder of this page; empty: there are no such pages.
std::vector<ReportSection> zoo_sections(const ZooResult& result, const std::string& folder = {});

}  // namespace polygraphy
