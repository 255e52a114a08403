#include "graphsurgeon/passes/detach.h"

#include <string>
#include <unordered_set>

namespace graphsurgeon {
namespace {

// Every tensor name in the graph and its subgraphs.
std::unordered_set<std::string_view> names_in(const Graph& main) {
  std::unordered_set<std::string_view> names;
  std::vector<const Graph*> todo = {&main};
  while (!todo.empty()) {
    const Graph* graph = todo.back();
    todo.pop_back();
    for (const auto* list : {&graph->inputs(), &graph->outputs(), &graph->initializers()}) {
      for (const TensorRef& tensor : *list) names.insert(tensor->name());
    }
    for (const NodeRef& node : graph->nodes()) {
      for (const Tensor* tensor : node->inputs()) names.insert(tensor->name());
      for (const Tensor* tensor : node->outputs()) names.insert(tensor->name());
      for (const GraphRef& inner : node->subgraphs()) todo.push_back(inner.get());
    }
  }
  return names;
}

std::string unused_name(const Graph& graph, std::string_view name) {
  const auto taken = names_in(graph);
  const std::string base = std::string(name) + "_unused";
  std::string candidate = base;
  for (int i = 1; taken.contains(candidate); ++i) candidate = base + "_" + std::to_string(i);
  return candidate;
}

}  // namespace

void detach_producers(const Graph& graph, Tensor& tensor) {
  while (Node* node = tensor.producer()) {
    if (node->outputs().size() == 1) {
      node->outputs().clear();
      continue;
    }
    for (size_t i = 0; i < node->outputs().size(); ++i) {
      if (node->outputs()[i] != &tensor) continue;
      node->outputs().set(i, Tensor::variable(graph.store(), unused_name(graph, tensor.name()),
                                              tensor.dtype(), tensor.shape()));
    }
  }
}

}  // namespace graphsurgeon
