// The result of `check lint` for a report.
#pragma once

#include <vector>

#include "pictures/report_page/report_page.h"
#include "polygraphy/model_tools/lint/lint.h"

namespace polygraphy {

// The verdict, and a table of the findings, each a case.
std::vector<ReportSection> lint_sections(const LintResult& result);

}  // namespace polygraphy
