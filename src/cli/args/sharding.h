// How models are sharded across devices.
#pragma once

#include "cli/syntax/parser.h"
#include "polygraphy/models/sharding/suggest_shard_hints.h"

namespace polygraphy::cli {

HintOptions resolve_hint_options(const ParsedArgs& args);

}  // namespace polygraphy::cli
