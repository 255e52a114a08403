#include "graphsurgeon/ir/nested_graphs.h"

#include <algorithm>

namespace graphsurgeon {

std::vector<Graph*> inner_graphs_first(Graph& root) {
  struct Frame {
    Graph* graph;
    size_t node;                  // the next one
    std::vector<GraphRef> inner;  // of the node before it, last first
  };
  std::vector<Graph*> order;
  std::unordered_set<const Graph*> seen{&root};
  std::vector<Frame> stack;
  stack.push_back({&root, 0, {}});
  while (!stack.empty()) {
    Frame& frame = stack.back();
    if (!frame.inner.empty()) {
      Graph* const inner = frame.inner.back().get();
      frame.inner.pop_back();
      if (inner && seen.insert(inner).second) stack.push_back({inner, 0, {}});
      continue;
    }
    const std::vector<NodeRef>& nodes = frame.graph->nodes();
    while (frame.node < nodes.size() && !nodes[frame.node]->has_subgraphs()) ++frame.node;
    if (frame.node == nodes.size()) {
      order.push_back(frame.graph);
      stack.pop_back();
      continue;
    }
    frame.inner = nodes[frame.node++]->subgraphs();
    std::reverse(frame.inner.begin(), frame.inner.end());
  }
  return order;
}

void Captures::add(const Graph& graph, std::span<const uint32_t> order) {
  std::unordered_set<const Tensor*> own;  // and those that were found
  for (const auto* list : {&graph.inputs(), &graph.initializers()}) {
    for (const TensorRef& tensor : *list) own.insert(tensor.get());
  }
  for (const NodeRef& node : graph.nodes()) {
    for (const Tensor* tensor : node->outputs()) own.insert(tensor);
  }
  std::vector<Tensor*> captured;
  const auto use = [&](Tensor& tensor) {
    if (!tensor.is_empty() && own.insert(&tensor).second) captured.push_back(&tensor);
  };
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = *graph.nodes()[order.empty() ? i : order[i]];
    for (Tensor* tensor : node.inputs()) use(*tensor);
    for_each(node, use);
  }
  for (const TensorRef& tensor : graph.outputs()) use(*tensor);
  captured_[&graph] = std::move(captured);
}

std::span<Tensor* const> Captures::of(const Graph& graph) const {
  const auto found = captured_.find(&graph);
  if (found == captured_.end()) return {};
  return found->second;
}

Tensor* LocalNames::find(const Tensor& tensor) {
  if (tensor.is_constant() || tensor.is_empty() || !tensor.producers().empty()) return nullptr;
  if (!inputs_) {
    inputs_.emplace();
    for (const TensorRef& input : graph_->inputs()) inputs_->insert(input.get());
  }
  if (inputs_->contains(&tensor)) return nullptr;
  if (!names_) {
    names_.emplace();
    for (const TensorRef& input : graph_->inputs()) {
      if (!input->is_empty()) names_->try_emplace(input->name(), input.get());
    }
    for (const TensorRef& value : graph_->initializers()) {
      if (!value->is_empty()) names_->try_emplace(value->name(), value.get());
    }
    for (const NodeRef& node : graph_->nodes()) {
      for (Tensor* output : node->outputs()) {
        if (!output->is_empty()) names_->try_emplace(output->name(), output);
      }
    }
  }
  const auto found = names_->find(tensor.name());
  return found == names_->end() || found->second == &tensor ? nullptr : found->second;
}

}  // namespace graphsurgeon
