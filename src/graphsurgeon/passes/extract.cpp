#include "graphsurgeon/passes/extract.h"

#include <unordered_set>
#include <utility>

#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/detach.h"

namespace graphsurgeon {

namespace {

// Before IR version 4 every initializer is an input, too.
void list_initializers_as_inputs(Graph& graph) {
  std::unordered_set<const Tensor*> listed;
  for (const TensorRef& input : graph.inputs()) listed.insert(input.get());
  std::vector<TensorRef> inputs = graph.inputs();
  for (const TensorRef& weight : graph.initializers()) {
    if (listed.insert(weight.get()).second) inputs.push_back(weight);
  }
  if (inputs.size() != graph.inputs().size()) graph.mutable_inputs() = std::move(inputs);
}

}  // namespace

void extract(Model& model, std::vector<TensorRef> inputs, std::vector<TensorRef> outputs) {
  Graph& graph = *model.graph;
  for (const TensorRef& input : inputs) detach_producers(graph, *input);
  graph.mutable_inputs() = std::move(inputs);
  graph.mutable_outputs() = std::move(outputs);
  cleanup(model);
  if (model.ir_version > 0 && model.ir_version < 4) list_initializers_as_inputs(graph);
  // Forgotten inputs are at least visible in the result.
  std::vector<TensorRef> undefined;
  for (Tensor* tensor : undefined_tensors(graph)) {
    if (tensor->dtype() != DataType::kUndefined) undefined.emplace_back(tensor);
  }
  if (undefined.empty()) return;
  auto& infos = graph.mutable_value_infos();
  infos.insert(infos.end(), undefined.begin(), undefined.end());
}

std::vector<Tensor*> undefined_tensors(const Graph& main) {
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
  std::vector<Tensor*> result;
  const auto check = [&](Tensor* tensor) {
    if (tensor->is_empty() || tensor->is_constant() || tensor->producer() != nullptr) return;
    if (defined.insert(tensor).second) result.push_back(tensor);
  };
  for (const Graph* graph : graphs) {
    for (const NodeRef& node : graph->nodes()) {
      for (Tensor* input : node->inputs()) check(input);
    }
    for (const TensorRef& output : graph->outputs()) check(output.get());
  }
  return result;
}

}  // namespace graphsurgeon
