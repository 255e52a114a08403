// Results of check_consistency() as sections of a page for a browser.
#pragma once

#include <vector>

#include "pictures/report_page/report_page.h"
#include "polygraphy/diagnosis/consistency/consistency.h"

namespace polygraphy {

// The verdict and a table of all rows. O(rows).
std::vector<ReportSection> consistency_sections(const ConsistencyResult& result);

}  // namespace polygraphy
