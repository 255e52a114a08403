// Data for the script of a report: curves, tables and histograms.
#pragma once

#include <string>

#include "pictures/report_page/report_page.h"

namespace polygraphy {

// A finite number; whole ones below 2^53 in full.
std::string report_number(double number, int digits);

// {"kind": "table", ...}, in ASCII; "null" for a section that is HTML alone. O(section).
std::string report_data(const ReportSection& section);

}  // namespace polygraphy
