// Options of the comparison functions other than `simple`.
#pragma once

#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "polygraphy/compare/metric.h"

namespace polygraphy::cli {

extern const ArgGroup args_other_functions;

// Throws Error for thresholds that are no numbers, and negative or fractional index tolerances.
void resolve_other_functions(const ParsedArgs& args, MetricOptions& options);

}  // namespace polygraphy::cli
