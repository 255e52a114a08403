// Options of comparison functions, as a parser has them.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "cli/syntax/option.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy::cli {

// Those of the metrics for which `takes` is true, for ArgGroup::made_options.
std::vector<Option> metric_option_table(bool (*takes)(const Metric& metric),
                                        std::deque<std::string>& texts);

}  // namespace polygraphy::cli
