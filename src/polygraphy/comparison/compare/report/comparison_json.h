// A comparison report for programs.
#pragma once

#include <string>

#include "polygraphy/comparison/compare/report/comparison_report.h"

namespace polygraphy {

// Pretty-printed JSON, numbers as numbers.
std::string comparison_json(const ComparisonReport& report, const ReportFacts& facts);

}  // namespace polygraphy
