// Options of the comparison functions other than `simple`.
#include "cli/metric_options/metric_option_table.h"
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {

extern constinit const ArgGroup args_other_functions = {
    .title = "Other Comparison Functions",
    .summary = "One figure per output against a threshold, or positions in lists.",
    .options = {},
    .made_options = [](std::span<const pgb_backend_options* const>,
                       std::deque<std::string>& texts) {
      return metric_option_table([](const Metric& metric) { return metric.name != "simple"; },
                                 texts);
    }};

}  // namespace polygraphy::cli
