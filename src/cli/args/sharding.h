// How models are sharded across devices.
#pragma once

#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "polygraphy/models/sharding/suggest_shard_hints.h"

namespace polygraphy::cli {

extern const ArgGroup args_sharding;

HintOptions resolve_hint_options(const ParsedArgs& args);

}  // namespace polygraphy::cli
