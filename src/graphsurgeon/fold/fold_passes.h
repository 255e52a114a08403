// Folding until nothing is left to fold.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/fold/fold.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// The result of one pass.
struct FoldPass {
  int64_t number = 1;
  size_t nodes_before = 0, nodes_after = 0;  // those in subgraphs included
  FoldReport report;
};

struct FoldPassesOptions {
  FoldOptions fold = {};  // its limits hold for all passes together
  // The last one goes on until nothing is left to fold, so that folding again changes nothing.
  int64_t max_passes = std::numeric_limits<int64_t>::max();
  // Called around each pass, for progress; may be empty. A pass that fails has no end.
  std::function<void(int64_t number)> on_start = {};
  std::function<void(const FoldPass& pass)> on_end = {};
};

struct FoldedPasses {
  std::vector<Rewrite> rewrites;  // of all passes, in order
  int64_t deferred = 0;           // bytes that the last pass would have added without max_growth
  std::vector<Refusal> beyond_memory;       // of the last pass, for memory_limit
  std::set<std::string> taken_defaults;     // FoldReport's, of all passes
  std::optional<std::string> failure = {};  // the error that ended the last pass
};

// Sorts nodes that are not sorted, then folds (fold_constants()) and cleans up (cleanup()) until a
// pass no longer changes the number of nodes. An error ends the passes; results of earlier passes
// stay, and the error is the result's `failure`, or with error_ok = false is thrown. Throws Error
// for rules to skip that do not exist. O(passes x (nodes + computed values)).
FoldedPasses fold_to_fixed_point(Model& model, const FoldPassesOptions& options,
                                 polygraphy::Logger& logger);

}  // namespace graphsurgeon
