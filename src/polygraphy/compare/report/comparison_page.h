// What a run found out, as sections of a page for a browser.
#pragma once

#include <vector>

#include "polygraphy/compare/report/comparison_report.h"
#include "polygraphy/report_page/report_page.h"

namespace polygraphy {

// The verdict; per pair of runners the differences along the model, how they are distributed, the
// elements that differ most, and a table of all tensors. O(tensors).
std::vector<ReportSection> comparison_sections(const ComparisonReport& report,
                                               const ReportFacts& facts);

}  // namespace polygraphy
