// The `Stats:` line with its Values and Histogram blocks (spec E.2, E.4, E.5), as comparisons and
// validation log it.
#pragma once

#include <optional>
#include <string_view>

#include "base/array.h"
#include "base/log.h"
#include "polygraphy/compare/block_source.h"
#include "polygraphy/compare/histogram.h"
#include "polygraphy/compare/statistics.h"

namespace polygraphy {

// Whether any statistics would be seen: computing them costs more than everything else.
bool statistics_enabled(const Logger& log);

// The line at INFO; one level deeper, at severity `details`, the values (up to 100 of them) and the
// histogram, over `range` or else from the smallest to the largest. What would not be seen is not
// computed.
void log_statistics(const Statistics& statistics, std::string_view name, BlockSource& source,
                    Severity details, std::optional<HistogramRange> range, Logger& log);
void log_statistics(const Statistics& statistics, std::string_view name, const Array& array,
                    Severity details, std::optional<HistogramRange> range, Logger& log);

}  // namespace polygraphy
