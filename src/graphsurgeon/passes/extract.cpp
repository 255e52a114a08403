#include "graphsurgeon/passes/extract.h"

#include <unordered_set>
#include <utility>

#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/detach.h"

namespace graphsurgeon {

void extract(Model& model, std::vector<TensorRef> inputs, std::vector<TensorRef> outputs) {
  Graph& graph = *model.graph;
  for (const TensorRef& input : inputs) detach_producers(graph, *input);
  graph.mutable_inputs() = std::move(inputs);
  graph.mutable_outputs() = std::move(outputs);
  cleanup(model);
}

std::vector<const Tensor*> undefined_tensors(const Graph& main) {
  // Inner graphs see the inputs of the outer ones; names play no part, so one set will do.
  std::unordered_set<const Tensor*> defined;
  std::vector<const Graph*> graphs = {&main};
  for (size_t i = 0; i < graphs.size(); ++i) {
    for (const TensorRef& input : graphs[i]->inputs()) defined.insert(input.get());
    for (const NodeRef& node : graphs[i]->nodes()) {
      if (!node->has_subgraphs()) continue;
      for (const GraphRef& inner : node->subgraphs()) graphs.push_back(inner.get());
    }
  }
  std::vector<const Tensor*> result;
  const auto check = [&](const Tensor* tensor) {
    if (tensor->is_empty() || tensor->is_constant() || tensor->producer() != nullptr) return;
    if (defined.insert(tensor).second) result.push_back(tensor);
  };
  for (const Graph* graph : graphs) {
    for (const NodeRef& node : graph->nodes()) {
      for (const Tensor* input : node->inputs()) check(input);
    }
    for (const TensorRef& output : graph->outputs()) check(output.get());
  }
  return result;
}

}  // namespace graphsurgeon
