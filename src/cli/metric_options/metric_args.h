// Options of comparison functions, as their metrics' descriptors describe them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/syntax/parser.h"
#include "polygraphy/comparison/compare/metric_options.h"

namespace polygraphy::cli {

// The options of all metrics that were given, shape check and fail-fast included. `path` converts a
// typed path. Throws Error, naming option and output, for a malformed number, one out of its
// bounds, or an unknown choice.
MetricOptions metric_options(const ParsedArgs& args,
                             const std::function<std::string(const std::string&)>& path);

// Of one of their options, by its flag: "--atol". Throws likewise.
PerOutput<GivenNumber> metric_numbers(const ParsedArgs& args, std::string_view flag);

}  // namespace polygraphy::cli
