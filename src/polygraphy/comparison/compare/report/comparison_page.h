// Results of a run as sections of a page for a browser.
#pragma once

#include <vector>

#include "pictures/report_page/report_page.h"
#include "polygraphy/comparison/compare/report/comparison_report.h"

namespace polygraphy {

// The verdict; per pair of runners the differences along the model, how they are distributed, the
// elements that differ most, and a table of all tensors. O(tensors).
std::vector<ReportSection> comparison_sections(const ComparisonReport& report,
                                               const ReportFacts& facts);

}  // namespace polygraphy
