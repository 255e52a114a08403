// Constant folding of a loaded model, with messages.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/fold/fold.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

struct FoldModelOptions {
  graphsurgeon::FoldOptions fold = {};
  int64_t max_passes = std::numeric_limits<int64_t>::max();
  // What to do where max_growth deferred something: the last line of the WARNING about it.
  std::string growth_advice = "To fold these nodes, too, set a larger FoldOptions::max_growth.";
};

// graphsurgeon's fold_to_fixed_point(). Says what each pass did (INFO), what the budget deferred
// (one WARNING), and which nodes were left as they are and why (VERBOSE); with error_ok, a pass
// that failed (WARNING). Where a body contradicts itself after its Ifs were flattened, it folds
// again with them as they are (INFO). Returns the rewrites of all passes. Throws what
// fold_to_fixed_point() throws.
std::vector<graphsurgeon::Rewrite> fold_model(graphsurgeon::Model& model,
                                              const FoldModelOptions& options, Logger& log);

}  // namespace polygraphy
