// Names of nodes and tensors for tests of passes.
#pragma once

#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

inline std::vector<std::string> ops(const Graph& graph) {
  std::vector<std::string> ops;
  for (const NodeRef& node : graph.nodes()) ops.emplace_back(node->op());
  return ops;
}

inline std::vector<std::string> node_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const NodeRef& node : graph.nodes()) names.emplace_back(node->name());
  return names;
}

// Of a list of tensors, a node's or a graph's.
template <typename Tensors>
std::vector<std::string> names(const Tensors& tensors) {
  std::vector<std::string> names;
  for (const auto& tensor : tensors) names.emplace_back(tensor->name());
  return names;
}

}  // namespace graphsurgeon
