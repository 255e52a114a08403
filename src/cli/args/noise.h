// Options for measuring errors of coarser number formats.
#pragma once

#include <optional>
#include <string_view>

#include "cli/syntax/parser.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy::cli {

// The choice that takes the format from a runner's options.
inline constexpr std::string_view kAutomaticFormat = "auto";
inline constexpr std::string_view kFormatChoices =
    "auto float32 tf32 float16 bfloat16 float8e4m3fn float8e5m2 int8";

// One of these choices; nullopt: automatic.
std::optional<NumberFormat> resolve_format(std::string_view choice);

// --noise-runs and --noise-threshold; without them, the arguments keep their values. Throws Error.
void resolve_noise(const ParsedArgs& args, int64_t& runs, double& threshold);

}  // namespace polygraphy::cli
