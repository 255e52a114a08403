#include "polygraphy/reduce/oracle/one_model.h"

#include <string>

#include "base/error.h"

namespace polygraphy {
namespace {

const std::string kNodes = "num_nodes";

}  // namespace

int64_t node_count(const graphsurgeon::Model& model) {
  return static_cast<int64_t>(model.graph->nodes().size());
}

void note_candidate(const graphsurgeon::Model& model, LoopRound& round) {
  round.state.set(kNodes, node_count(model));
}

void check_replayed(const graphsurgeon::Model& model, const LoopRound& round) {
  const int64_t* recorded = round.state.find(kNodes);
  if (recorded && *recorded == node_count(model)) return;
  throw Error("The debug replay is not one of this reduction: its iteration " +
                  std::to_string(round.index + 1) + " has " +
                  (recorded ? std::to_string(*recorded) : "an unknown number of") +
                  " nodes, but the candidate has " + std::to_string(node_count(model)),
              "Leave --load-debug-replay out, or use the replay of the same model, options and "
              "tool.");
}

}  // namespace polygraphy
