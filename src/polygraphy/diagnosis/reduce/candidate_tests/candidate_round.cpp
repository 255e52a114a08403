#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_round.h"

namespace polygraphy {
namespace {

const std::string kNodes = "num_nodes";

}  // namespace

int64_t node_count(const graphsurgeon::Model& model) {
  return static_cast<int64_t>(model.graph->nodes().size());
}

OrderedMap<int64_t> replay_state(const graphsurgeon::Model& model) {
  OrderedMap<int64_t> state;
  state.set(kNodes, node_count(model));
  return state;
}

void check_replayed(const graphsurgeon::Model& model, int64_t index, const ReplayEntry& entry) {
  const int64_t* recorded = entry.state.find(kNodes);
  if (recorded && *recorded == node_count(model)) return;
  throw Error(kForeignReplay,
              "The debug replay belongs to another reduction: its iteration " +
                  std::to_string(index + 1) + " has " +
                  (recorded ? std::to_string(*recorded) : "an unknown number of") +
                  " nodes, but the candidate has " + std::to_string(node_count(model)),
              "Use a replay of the same model, options and tool, or no replay.");
}

}  // namespace polygraphy
