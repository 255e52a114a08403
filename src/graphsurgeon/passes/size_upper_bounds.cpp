#include "graphsurgeon/passes/size_upper_bounds.h"

#include <string>
#include <unordered_map>

#include "base/arrays/convert.h"
#include "base/error.h"
#include "graphsurgeon/ir/tensor_names.h"

namespace graphsurgeon {
namespace {

using polygraphy::Error;

PayloadPtr bound_values(const Tensor& tensor, int64_t bound) {
  const DataType dtype = tensor.dtype() == DataType::kUndefined ? DataType::kInt64 : tensor.dtype();
  const auto shape = tensor.shape();
  const Shape dims = shape && shape->empty() ? Shape{} : Shape{1};
  return owned_payload(polygraphy::convert(Array::of<int64_t>(dims, {bound}), dtype));
}

// The node to be put behind the tensor's producer.
NodeRef bound_node(Graph& graph, Tensor& tensor, int64_t bound, TensorNames& taken) {
  const std::string name(tensor.name());
  const TensorRef copy = Tensor::variable(graph.store(), unused_name(taken, name + "_copy"),
                                          tensor.dtype(), tensor.shape());
  for (const NodeRef& producer : tensor.producers().snapshot()) {
    for (size_t i = 0; i < producer->outputs().size(); ++i) {
      if (producer->outputs()[i] == &tensor) producer->outputs().set(i, copy);
    }
  }
  const TensorRef limit = Tensor::constant(graph.store(), unused_name(taken, name + "_upper_bound"),
                                           bound_values(tensor, bound));
  graph.mutable_initializers().push_back(limit);
  NodeRef node = Node::create(graph.store(), "Min");
  node->inputs().assign({copy, limit});
  node->outputs().assign({&tensor});
  return node;
}

}  // namespace

void set_size_upper_bounds(Graph& graph, const std::vector<std::pair<TensorRef, int64_t>>& bounds) {
  std::unordered_map<const Node*, std::vector<const std::pair<TensorRef, int64_t>*>> behind;
  for (const auto& bound : bounds) {
    const Node* producer = bound.first->producer();
    if (producer == nullptr) {
      throw Error("The tensor '" + std::string(bound.first->name()) +
                      "' has an upper bound, but no producer",
                  "Set bounds of tensors that nodes produce.");
    }
    behind[producer].push_back(&bound);
  }
  TensorNames taken = tensor_names(graph);
  std::vector<NodeRef> nodes;
  nodes.reserve(graph.nodes().size() + bounds.size());
  for (const NodeRef& node : graph.nodes()) {
    nodes.push_back(node);
    const auto found = behind.find(node.get());
    if (found == behind.end()) continue;
    for (const auto* bound : found->second) {
      nodes.push_back(bound_node(graph, *bound->first, bound->second, taken));
    }
  }
  graph.mutable_nodes() = std::move(nodes);
}

}  // namespace graphsurgeon
