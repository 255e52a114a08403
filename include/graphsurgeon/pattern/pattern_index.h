// Look-up tables over a whole graph, for matching.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Valid until the graph or a node in it is edited; keeps neither alive.
class PatternIndex {
 public:
  explicit PatternIndex(const Graph& graph);  // O(graph, nested ones included)

  // The graph's own nodes with this operator, in the order of the graph.
  std::span<Node* const> nodes(std::string_view op) const;
  bool contains(const Node& node) const { return nodes_.contains(&node); }
  // True for an output of the graph, or of a nested graph.
  bool is_output(const Tensor& tensor) const { return outputs_.contains(&tensor); }

 private:
  std::unordered_map<std::string_view, std::vector<Node*>> by_op_;
  std::unordered_set<const Node*> nodes_;
  std::unordered_set<const Tensor*> outputs_;
};

}  // namespace graphsurgeon
