// The `Stats:` line with its Values and Histogram blocks, as comparisons and
// validation log it.
#pragma once

#include <optional>
#include <string_view>

#include "base/arrays/array.h"
#include "base/log.h"
#include "numerics/block_source.h"
#include "numerics/histogram.h"
#include "numerics/statistics.h"

namespace polygraphy {

// Whether any statistics would be seen: computing them costs more than everything else.
bool statistics_enabled(const Logger& log);

// What two outputs are counted over when they are to be compared: Python's min() and max() of
// their extremes, the first one unless the second is smaller (greater), so NaN counts only when it
// comes first.
HistogramRange common_range(const Statistics& a, const Statistics& b);

// The line at INFO; one level deeper, at severity `details`, the values (up to 100 of them) and the
// histogram, over `range` or else from the smallest to the largest. What would not be seen is not
// computed, nor is `histogram` if it is given: the one of this source and range.
void log_statistics(const Statistics& statistics, std::string_view name, BlockSource& source,
                    Severity details, std::optional<HistogramRange> range, Logger& log,
                    const std::optional<Histogram>* histogram = nullptr);
void log_statistics(const Statistics& statistics, std::string_view name, const Array& array,
                    Severity details, std::optional<HistogramRange> range, Logger& log,
                    const std::optional<Histogram>* histogram = nullptr);
// Whether that reads the array or source.
bool statistics_read_elements(const Statistics& statistics, Severity details,
                              const std::optional<Histogram>* histogram, const Logger& log);

}  // namespace polygraphy
