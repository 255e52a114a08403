// Results of a reduction as sections of a page for a browser.
#pragma once

#include <vector>

#include "base/log.h"
#include "pictures/report_page/report_page.h"
#include "polygraphy/diagnosis/reduce/reduce.h"

namespace polygraphy {

// The verdict, the first failure, and the smallest failing model as a table of its nodes and, if
// small, as a picture. O(structure).
std::vector<ReportSection> reduction_sections(const ReduceResult& result, Logger& log);

}  // namespace polygraphy
