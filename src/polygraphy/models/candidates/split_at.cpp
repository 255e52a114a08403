#include "polygraphy/models/candidates/split_at.h"

#include <numeric>
#include <unordered_set>
#include <utility>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/passes/extract.h"
#include "polygraphy/models/candidates/prune_unused.h"
#include "polygraphy/models/candidates/used_tensors.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using TensorSet = std::unordered_set<const Tensor*>;

// The nodes, and the tensors, that can be reached from these tensors.
std::vector<bool> reached_nodes(const Graph& graph, const UsedTensors& used, TensorSet& reached) {
  std::vector<bool> result(graph.nodes().size());
  for (size_t i = 0; i < result.size(); ++i) {
    const Node& node = *graph.nodes()[i];
    bool depends = false;
    used.of(node, [&](const Tensor& tensor) { depends |= reached.contains(&tensor); });
    result[i] = depends;
    if (!depends) continue;
    for (const Tensor* output : node.outputs()) reached.insert(output);
  }
  return result;
}

TensorSet variable_inputs(const Graph& graph) {
  TensorSet inputs;
  for (const TensorRef& input : graph.inputs()) {
    if (!input->is_constant()) inputs.insert(input.get());
  }
  return inputs;
}

}  // namespace

std::vector<size_t> reduction_steps(const Model& model) {
  const UsedTensors used(model);
  TensorSet reached = variable_inputs(*model.graph);
  const std::vector<bool> depends = reached_nodes(*model.graph, used, reached);
  std::vector<size_t> steps;
  for (size_t i = 0; i < depends.size(); ++i) {
    if (depends[i]) steps.push_back(i);
  }
  if (steps.empty()) {
    steps.resize(depends.size());
    std::iota(steps.begin(), steps.end(), size_t{0});
  }
  return steps;
}

Split split_after(const Model& model, size_t position) {
  Split split{graphsurgeon::copy(model), {}, {}};
  for (Tensor* output : split.model.graph->nodes()[position]->outputs()) {
    if (!output->is_empty()) split.marked.emplace_back(output);
  }
  split.model.graph->mutable_outputs() = split.marked;
  prune_unused(split.model);
  return split;
}

Split split_before(const Model& model, size_t position) {
  Split split{graphsurgeon::copy(model), {}, {}};
  Graph& graph = *split.model.graph;
  const UsedTensors used(split.model);

  TensorSet marked;
  used.of(*graph.nodes()[position], [&](Tensor& tensor) {
    if (marked.insert(&tensor).second) split.marked.emplace_back(&tensor);
  });
  // Nodes that only feed constants are computed there, too.
  TensorSet from_inputs = variable_inputs(graph);
  reached_nodes(graph, used, from_inputs);

  TensorSet reached = marked;
  std::vector<bool> behind = reached_nodes(graph, used, reached);
  behind[position] = true;
  for (const Tensor* output : graph.nodes()[position]->outputs()) reached.insert(output);

  std::vector<TensorRef> outputs;
  for (const TensorRef& output : graph.outputs()) {
    if (reached.contains(output.get()) && !marked.contains(output.get())) outputs.push_back(output);
  }
  if (outputs.empty()) outputs = graph.outputs();

  TensorSet seen = marked;
  for (size_t i = 0; i < behind.size(); ++i) {
    if (!behind[i]) continue;
    used.of(*graph.nodes()[i], [&](Tensor& tensor) {
      if (reached.contains(&tensor) || !from_inputs.contains(&tensor)) return;
      if (seen.insert(&tensor).second) split.branches.emplace_back(&tensor);
    });
  }

  std::vector<TensorRef> inputs = split.marked;
  inputs.insert(inputs.end(), split.branches.begin(), split.branches.end());
  graphsurgeon::extract(split.model, std::move(inputs), std::move(outputs));
  prune_unused(split.model);
  // A branch may turn out to feed only removed nodes.
  const TensorSet left = variable_inputs(graph);
  std::erase_if(split.branches,
                [&](const TensorRef& tensor) { return !left.contains(tensor.get()); });
  return split;
}

void freeze(Model& model, Tensor& branch, Array value) {
  Graph& graph = *model.graph;
  std::erase_if(graph.mutable_inputs(),
                [&](const TensorRef& input) { return input.get() == &branch; });
  branch.to_constant(std::move(value));
  graph.mutable_initializers().emplace_back(&branch);
}

}  // namespace polygraphy
