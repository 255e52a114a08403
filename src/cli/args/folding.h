// Constant folding.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "base/log.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "graphsurgeon/fold/fold.h"

namespace polygraphy::cli {

extern const ArgGroup args_folding;

struct FoldingArgs {
  bool fold = false;
  graphsurgeon::FoldOptions options;  // without evaluator
  int64_t passes = std::numeric_limits<int64_t>::max();
};

// Warns of options that do nothing without --fold-constants. Throws Error for sizes that are none
// and for rules that there are not.
FoldingArgs resolve_folding(const ParsedArgs& args, Logger& log);

// What --list-rules prints.
std::string list_of_rules();

}  // namespace polygraphy::cli
