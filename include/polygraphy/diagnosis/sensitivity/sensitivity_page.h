// Results of find_sensitivity() as sections of a page for a browser.
#pragma once

#include <vector>

#include "pictures/report_page/report_page.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"

namespace polygraphy {

// The verdict and a table of all layers. O(layers).
std::vector<ReportSection> sensitivity_sections(const SensitivityResult& result);

}  // namespace polygraphy
