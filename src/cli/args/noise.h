// Options for measuring errors of coarser number formats.
#pragma once

#include <string_view>

#include "cli/syntax/parser.h"

namespace polygraphy::cli {

// Of number formats; of "auto", parse_number_format() makes nullopt.
inline constexpr std::string_view kFormatChoices =
    "auto float32 tf32 float16 bfloat16 float8e4m3fn float8e5m2 int8";

// --noise-runs and --noise-threshold; without them, the arguments keep their values. Throws Error.
void resolve_noise(const ParsedArgs& args, int64_t& runs, double& threshold);

}  // namespace polygraphy::cli
