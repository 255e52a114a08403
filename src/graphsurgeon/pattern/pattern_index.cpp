#include "graphsurgeon/pattern/pattern_index.h"

namespace graphsurgeon {

PatternIndex::PatternIndex(const Graph& graph) {
  nodes_.reserve(graph.nodes().size());
  for (const NodeRef& node : graph.nodes()) {
    if (nodes_.insert(node.get()).second) by_op_[node->op()].push_back(node.get());
  }
  std::unordered_set<const Graph*> seen{&graph};
  std::vector<const Graph*> pending{&graph};
  while (!pending.empty()) {
    const Graph& current = *pending.back();
    pending.pop_back();
    for (const TensorRef& output : current.outputs()) outputs_.insert(output.get());
    for (const NodeRef& node : current.nodes()) {
      if (!node->has_subgraphs()) continue;
      for (const GraphRef& nested : node->subgraphs()) {
        if (seen.insert(nested.get()).second) pending.push_back(nested.get());
      }
    }
  }
}

std::span<Node* const> PatternIndex::nodes(std::string_view op) const {
  const auto found = by_op_.find(op);
  return found == by_op_.end() ? std::span<Node* const>() : found->second;
}

}  // namespace graphsurgeon
