#include "cli/args/simple.h"

#include "cli/metric_options/metric_option_table.h"

namespace polygraphy::cli {

constinit const ArgGroup args_simple = {
    .title = "Comparison Function: `simple`",
    .summary = "Absolute and relative errors against tolerances.",
    .options = {},
    .made_options = [](std::span<const pgb_backend_options* const>,
                       std::deque<std::string>& texts) {
      return metric_option_table([](const Metric& metric) { return metric.name == "simple"; },
                                 texts);
    }};

}  // namespace polygraphy::cli
