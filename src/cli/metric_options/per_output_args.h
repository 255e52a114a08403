// Numbers given per output, `--l2-threshold 1e-3 logits:1e-2`.
#pragma once

#include <string_view>

#include "cli/syntax/parser.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy::cli {

// Throw Error naming the option and the output for a value that is not a number, or not a whole
// one.
PerOutput<GivenNumber> numbers_per_output(const ParsedArgs& args, std::string_view key);
PerOutput<int64_t> integers_per_output(const ParsedArgs& args, std::string_view key);

}  // namespace polygraphy::cli
