// Options of the `simple` comparison function.
#pragma once

#include "cli/environment.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "polygraphy/compare/metric.h"

namespace polygraphy::cli {

extern const ArgGroup args_simple;

// Throws Error for tolerances that are no numbers, unknown statistics and quantiles outside 0 to 1.
void resolve_simple(const ParsedArgs& args, const Environment& env, MetricOptions& options);

}  // namespace polygraphy::cli
