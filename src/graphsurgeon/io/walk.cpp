#include "graphsurgeon/io/walk.h"

#include <unordered_set>

namespace graphsurgeon {

std::vector<const Graph*> all_graphs(const Model& model) {
  std::vector<const Graph*> graphs;
  std::unordered_set<const Graph*> seen;
  const auto add = [&](const Graph* graph) {
    if (graph && seen.insert(graph).second) graphs.push_back(graph);
  };
  add(model.graph.get());
  for (const FunctionRef& function : model.functions) add(function.get());
  for (const FunctionRef& function : model.functions) {
    for (const Attribute& attribute : function->default_attributes) {
      if (const auto* graph = std::get_if<GraphRef>(&attribute.value)) add(graph->get());
      if (const auto* list = std::get_if<std::vector<GraphRef>>(&attribute.value)) {
        for (const GraphRef& graph_in_list : *list) add(graph_in_list.get());
      }
    }
  }
  for (size_t i = 0; i < graphs.size(); ++i) {
    for (const NodeRef& node : graphs[i]->nodes()) {
      if (!node->has_subgraphs()) continue;
      for (const GraphRef& inner : node->subgraphs()) add(inner.get());
    }
  }
  return graphs;
}

}  // namespace graphsurgeon
