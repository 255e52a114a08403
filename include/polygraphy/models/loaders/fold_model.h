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
  // Remedy for folding that max_growth deferred: the last line of the WARNING about it.
  std::string growth_advice = "To fold these nodes, too, set a larger FoldOptions::max_growth.";
  // Remedy for nodes that memory_limit left: the last line of the WARNING about them.
  std::string memory_advice = "To fold these nodes, too, set a larger FoldOptions::memory_limit.";
  // Remedy for inputs with folded default values: the last line of the INFO about them.
  std::string defaults_advice =
      "To let callers replace them, set FoldOptions::keep_input_defaults.";
};

// Runs graphsurgeon's fold_to_fixed_point(). Logs the results of each pass (INFO), bytes that the
// budget deferred (one WARNING), nodes left for want of memory (one WARNING), inputs with folded
// default values (INFO), and skipped nodes with reasons (VERBOSE); with error_ok, a failed pass
// (WARNING). If a body contradicts itself after its Ifs were flattened, it folds again without
// flattening (INFO). Returns the rewrites of all passes. Throws the errors of
// fold_to_fixed_point().
std::vector<graphsurgeon::Rewrite> fold_model(graphsurgeon::Model& model,
                                              const FoldModelOptions& options, Logger& log);

}  // namespace polygraphy
