// The changes between two models as sections of a page for a browser.
#pragma once

#include <string>
#include <vector>

#include "graphsurgeon/diff/diff.h"
#include "pictures/report_page/report_page.h"

namespace polygraphy {

// Numbers of changes, then a table for each list of the report. `before` and `after`: the models'
// paths. O(report).
std::vector<ReportSection> diff_sections(const graphsurgeon::DiffReport& report,
                                         const std::string& before, const std::string& after);

}  // namespace polygraphy
