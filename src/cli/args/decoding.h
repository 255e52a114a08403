// Language models token by token.
#pragma once

#include <optional>

#include "cli/session/environment.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "polygraphy/runtimes/decoding/decode_options.h"

namespace polygraphy::cli {

extern const ArgGroup args_decoding;

// nullopt: --decode was not given.
std::optional<DecodeOptions> resolve_decoding(const ParsedArgs& args, const Environment& env);

}  // namespace polygraphy::cli
