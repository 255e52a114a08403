// Constant folding.
#pragma once

#include <optional>
#include <string>

#include "base/log.h"
#include "cli/syntax/parser.h"
#include "polygraphy/models/loaders/fold_model.h"

namespace polygraphy::cli {

// nullopt without --fold-constants, with a warning of options that do nothing then; without an
// evaluator. Throws Error for invalid sizes and unknown rules.
std::optional<FoldModelOptions> resolve_folding(const ParsedArgs& args, Logger& log);

// The output of --list-rules.
std::string list_of_rules();

}  // namespace polygraphy::cli
