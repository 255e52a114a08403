// Where good and bad tactic replays are.
#pragma once

#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/model_tools/inspect/inspect_tactics.h"

namespace polygraphy::cli {

DiffTactics resolve_tactic_replays(const ParsedArgs& args, const Environment& env);

}  // namespace polygraphy::cli
