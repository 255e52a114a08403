// What a reduction has come to, as sections of a page for a browser.
#pragma once

#include <vector>

#include "base/log.h"
#include "pictures/report_page/report_page.h"
#include "polygraphy/diagnosis/reduce/reduce.h"

namespace polygraphy {

// The verdict, how the failure looked first, the smallest failing model as a picture (a small one)
// and as a table of its nodes. O(structure).
std::vector<ReportSection> reduction_sections(const ReduceResult& result, Logger& log);

}  // namespace polygraphy
