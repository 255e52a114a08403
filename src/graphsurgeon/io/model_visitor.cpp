#include "graphsurgeon/io/model_visitor.h"

#include <unordered_set>

namespace graphsurgeon {

namespace {

class Walk {
 public:
  void add(const Graph* graph) {
    if (graph && seen_.insert(graph).second) graphs_.push_back(graph);
  }
  // And everything nested in the additions.
  std::vector<const Graph*> finish() {
    for (size_t i = 0; i < graphs_.size(); ++i) {
      for (const NodeRef& node : graphs_[i]->nodes()) {
        if (!node->has_subgraphs()) continue;
        for (const GraphRef& inner : node->subgraphs()) add(inner.get());
      }
    }
    return std::move(graphs_);
  }

 private:
  std::vector<const Graph*> graphs_;
  std::unordered_set<const Graph*> seen_;
};

}  // namespace

std::vector<const Graph*> all_graphs(const Model& model) {
  Walk walk;
  walk.add(model.graph.get());
  for (const FunctionRef& function : model.functions) walk.add(function.get());
  for (const FunctionRef& function : model.functions) {
    for (const Attribute& attribute : function->default_attributes) {
      for (const GraphRef& graph : attribute.graphs()) walk.add(graph.get());
    }
  }
  return walk.finish();
}

std::vector<const Graph*> graphs_in(const Graph& root) {
  Walk walk;
  walk.add(&root);
  return walk.finish();
}

}  // namespace graphsurgeon
