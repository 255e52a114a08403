// Figures of a benchmark, as sections of a page for a browser.
#pragma once

#include <vector>

#include "pictures/report_page/report_page.h"
#include "polygraphy/comparison/benchmark/benchmark.h"

namespace polygraphy {

// Medians, a table of latencies, and per case their course, their distribution and, if timed, times
// of single nodes. O(figures).
std::vector<ReportSection> benchmark_sections(const BenchmarkReport& report);

}  // namespace polygraphy
