#include "polygraphy/comparison/compare/pair_statistics_log.h"

#include <fmt/format.h>

#include <optional>

#include "polygraphy/comparison/compare/statistics_log.h"

namespace polygraphy {

void log_pair_statistics(const ComparedPair& one, const IterationResult& result0,
                         const IterationResult& result1, Logger& log) {
  if (!statistics_enabled(log)) return;
  const PairStatistics& found = one.statistics;
  const Severity details = one.failed ? Severity::kInfo : Severity::kVerbose;
  const auto* histogram_a = found.histogram_a ? &*found.histogram_a : nullptr;
  const auto* histogram_b = found.histogram_b ? &*found.histogram_b : nullptr;
  // Read again only for access to the elements, which may be in a file.
  Array array_a, array_b;
  if (!found.a || statistics_read_elements(*found.a, details, histogram_a, log))
    array_a = result0.output(one.place0);
  if (!found.b || statistics_read_elements(*found.b, details, histogram_b, log))
    array_b = result1.output(one.place1);
  const Statistics a = found.a ? *found.a : compute_statistics(array_a);
  const Statistics b = found.b ? *found.b : compute_statistics(array_b);
  std::optional<HistogramRange> range;
  if (a.computed && b.computed) range = common_range(a, b);
  log_statistics(a, fmt::format("{}: {}", result0.runner_name, one.name0), array_a, details, range,
                 log, histogram_a);
  log_statistics(b, fmt::format("{}: {}", result1.runner_name, one.name1), array_b, details, range,
                 log, histogram_b);
}

}  // namespace polygraphy
