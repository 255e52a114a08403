// The passes of `surgeon sanitize --fold-constants`.
#pragma once

#include <cstdint>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/fold/fold.h"

namespace polygraphy::cli {

// Sorts nodes that are not sorted, then folds and cleans up until a pass changes the number of
// nodes no more, `passes` times at most. Says what each pass did, what the budget put off (one
// WARNING), and which nodes were left as they are and why (VERBOSE). A pass that fails is the last:
// what those before it did stays. The budget and the count of rewrites of `options` hold for all
// passes together. Returns the rewrites of all.
std::vector<graphsurgeon::Rewrite> fold_in_passes(graphsurgeon::Model& model,
                                                  const graphsurgeon::FoldOptions& options,
                                                  int64_t passes, Logger& log);

}  // namespace polygraphy::cli
