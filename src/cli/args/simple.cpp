#include "cli/args/simple.h"

#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy::cli {

constinit const ArgGroup args_simple = {
    .title = "Comparison Function: `simple`",
    .summary = "Absolute and relative errors against tolerances.",
    .options = {},
    .with_options_of = [](const Metric& metric) { return metric.name == "simple"; }};

}  // namespace polygraphy::cli
