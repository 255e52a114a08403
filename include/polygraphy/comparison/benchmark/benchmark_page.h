// Figures of a benchmark, as sections of a page for a browser.
#pragma once

#include <vector>

#include "pictures/report_page/report_page.h"
#include "polygraphy/comparison/benchmark/benchmark.h"

namespace polygraphy {

// Medians first; a table of latencies, and per case their course, how they are distributed, and
// times of single nodes where these were taken. O(figures).
std::vector<ReportSection> benchmark_sections(const BenchmarkReport& report);

}  // namespace polygraphy
