#include "polygraphy/models/candidates/extract_subset.h"

#include <unordered_set>
#include <utility>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/passes/detach.h"
#include "polygraphy/models/candidates/prune_unused.h"
#include "polygraphy/models/candidates/used_tensors.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using TensorSet = std::unordered_set<const Tensor*>;

// Outputs of a node that must be outputs of the part.
std::vector<TensorRef> visible(const Node& node, const TensorSet& read_inside,
                               const TensorSet& read_outside) {
  std::vector<TensorRef> outputs, unused;
  bool feeds_inside = false;
  for (Tensor* output : node.outputs()) {
    if (output->is_empty()) continue;
    feeds_inside |= read_inside.contains(output);
    if (read_outside.contains(output)) {
      outputs.emplace_back(output);
    } else if (!read_inside.contains(output)) {
      unused.emplace_back(output);
    }
  }
  return outputs.empty() && !feeds_inside ? unused : outputs;
}

}  // namespace

Model extract_subset(const Model& model, const std::vector<size_t>& steps,
                     const std::vector<size_t>& positions) {
  Model kept = graphsurgeon::copy(model);
  Graph& graph = *kept.graph;
  const UsedTensors used(kept);
  std::vector<bool> is_kept(graph.nodes().size());
  for (const size_t position : positions) is_kept[position] = true;
  // Other nodes that inputs do not reach stay where they are needed.
  std::vector<bool> is_step(graph.nodes().size());
  for (const size_t step : steps) is_step[step] = true;

  TensorSet made_inside, made_by_constants, read_inside, read_outside;
  for (size_t i = 0; i < is_kept.size(); ++i) {
    const Node& node = *graph.nodes()[i];
    TensorSet* made = is_kept[i] ? &made_inside : is_step[i] ? nullptr : &made_by_constants;
    for (const Tensor* output : node.outputs()) {
      if (made) made->insert(output);
    }
    TensorSet& read = is_kept[i] ? read_inside : read_outside;
    used.of(node, [&](const Tensor& tensor) { read.insert(&tensor); });
  }
  for (const TensorRef& output : graph.outputs()) read_outside.insert(output.get());

  std::vector<TensorRef> inputs, outputs;
  TensorSet listed;
  for (const size_t position : positions) {
    const Node& node = *graph.nodes()[position];
    used.of(node, [&](Tensor& tensor) {
      if (made_inside.contains(&tensor) || made_by_constants.contains(&tensor)) return;
      if (listed.insert(&tensor).second) inputs.emplace_back(&tensor);
    });
    for (TensorRef& output : visible(node, read_inside, read_outside)) {
      outputs.push_back(std::move(output));
    }
  }
  for (const TensorRef& input : inputs) graphsurgeon::detach_producers(graph, *input);
  graph.mutable_inputs() = std::move(inputs);
  graph.mutable_outputs() = std::move(outputs);
  prune_unused(kept);
  return kept;
}

}  // namespace polygraphy
