#include "polygraphy/reduce/candidates/cut.h"

#include <numeric>
#include <unordered_set>
#include <utility>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/passes/extract.h"
#include "polygraphy/reduce/candidates/drop_unused.h"
#include "polygraphy/reduce/candidates/reads.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using TensorSet = std::unordered_set<const Tensor*>;

// Which nodes can be reached from these tensors, and with them which tensors.
std::vector<bool> reached_nodes(const Graph& graph, const Reads& reads, TensorSet& reached) {
  std::vector<bool> result(graph.nodes().size());
  for (size_t i = 0; i < result.size(); ++i) {
    const Node& node = *graph.nodes()[i];
    bool depends = false;
    reads.of(node, [&](const Tensor& tensor) { depends |= reached.contains(&tensor); });
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
  const Reads reads(model);
  TensorSet reached = variable_inputs(*model.graph);
  const std::vector<bool> depends = reached_nodes(*model.graph, reads, reached);
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

Cut cut_behind(const Model& model, size_t position) {
  Cut cut{graphsurgeon::copy(model), {}, {}};
  for (Tensor* output : cut.model.graph->nodes()[position]->outputs()) {
    if (!output->is_empty()) cut.marked.emplace_back(output);
  }
  cut.model.graph->mutable_outputs() = cut.marked;
  drop_unused(cut.model);
  return cut;
}

Cut cut_before(const Model& model, size_t position) {
  Cut cut{graphsurgeon::copy(model), {}, {}};
  Graph& graph = *cut.model.graph;
  const Reads reads(cut.model);

  TensorSet marked;
  reads.of(*graph.nodes()[position], [&](Tensor& tensor) {
    if (marked.insert(&tensor).second) cut.marked.emplace_back(&tensor);
  });
  // What only feeds constants need not be known: it is computed there, too.
  TensorSet from_inputs = variable_inputs(graph);
  reached_nodes(graph, reads, from_inputs);

  TensorSet reached = marked;
  std::vector<bool> behind = reached_nodes(graph, reads, reached);
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
    reads.of(*graph.nodes()[i], [&](Tensor& tensor) {
      if (reached.contains(&tensor) || !from_inputs.contains(&tensor)) return;
      if (seen.insert(&tensor).second) cut.branches.emplace_back(&tensor);
    });
  }

  std::vector<TensorRef> inputs = cut.marked;
  inputs.insert(inputs.end(), cut.branches.begin(), cut.branches.end());
  graphsurgeon::extract(cut.model, std::move(inputs), std::move(outputs));
  drop_unused(cut.model);
  // A branch may turn out to feed only what has gone.
  const TensorSet left = variable_inputs(graph);
  std::erase_if(cut.branches,
                [&](const TensorRef& tensor) { return !left.contains(tensor.get()); });
  return cut;
}

void freeze(Model& model, Tensor& branch, Array value) {
  Graph& graph = *model.graph;
  std::erase_if(graph.mutable_inputs(),
                [&](const TensorRef& input) { return input.get() == &branch; });
  branch.to_constant(std::move(value));
  graph.mutable_initializers().emplace_back(&branch);
}

}  // namespace polygraphy
