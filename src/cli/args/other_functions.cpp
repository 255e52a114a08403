#include "cli/args/other_functions.h"

#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy::cli {

constinit const ArgGroup args_other_functions = {
    .title = "Other Comparison Functions",
    .summary = "One figure per output against a threshold, or positions in lists.",
    .options = {},
    .with_options_of = [](const Metric& metric) { return metric.name != "simple"; }};

}  // namespace polygraphy::cli
