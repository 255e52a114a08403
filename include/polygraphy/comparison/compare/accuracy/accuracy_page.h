// Results of comparisons, as sections of a page for a browser.
#pragma once

#include <vector>

#include "pictures/report_page/report_page.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_results.h"

namespace polygraphy {

// The verdict, and per comparison function and pair of runners a table of outputs and iterations
// with figures and limits. O(results).
std::vector<ReportSection> accuracy_sections(const AccuracyResults& results);

}  // namespace polygraphy
