// Results of locate() as sections of a page for a browser.
#pragma once

#include <vector>

#include "pictures/report_page/report_page.h"
#include "polygraphy/diagnosis/locate/locate_result.h"

namespace polygraphy {

// The verdict, curves of the errors in the order of data, worst elements, a table of all nodes, and
// the distribution of errors. O(nodes).
std::vector<ReportSection> locate_sections(const LocateResult& result);

}  // namespace polygraphy
