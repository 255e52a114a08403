// Options of the `simple` comparison function.
#include "cli/metric_options/metric_option_table.h"
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {

extern constinit const ArgGroup args_simple = {
    .title = "Comparison Function: `simple`",
    .summary = "Absolute and relative errors against tolerances.",
    .options = {},
    .made_options = [](std::span<const pgb_backend_options* const>,
                       std::deque<std::string>& texts) {
      return metric_option_table([](const Metric& metric) { return metric.name == "simple"; },
                                 texts);
    }};

}  // namespace polygraphy::cli
