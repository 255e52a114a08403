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

// The common range of the histograms of two outputs: Python's min() and max() of their extremes,
// that is, the first one unless the second is smaller (greater), so NaN counts only if it comes
// first.
HistogramRange common_range(const Statistics& a, const Statistics& b);

// The line at INFO; one level deeper, at severity `details`, the values (up to 100 of them) and the
// histogram, over `range` or else from the smallest to the largest. Skips computations for hidden
// messages. `histogram`: that of this source and range, if the caller has it.
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
