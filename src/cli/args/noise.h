// What errors of a coarser format of numbers are measured with.
#pragma once

#include <optional>
#include <string_view>

#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy::cli {

extern const ArgGroup args_noise;

// The choice of a format that a runner's own options tell.
inline constexpr std::string_view kAutomaticFormat = "auto";
inline constexpr std::string_view kFormatChoices =
    "auto float32 tf32 float16 bfloat16 float8e4m3fn float8e5m2 int8";

// One of these choices; nullopt: automatic.
std::optional<NumberFormat> resolve_format(std::string_view choice);

// --noise-runs and --noise-threshold, or what stands there already. Throws Error.
void resolve_noise(const ParsedArgs& args, int64_t& runs, double& threshold);

}  // namespace polygraphy::cli
