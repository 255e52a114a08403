#include "graphsurgeon/fold/fold_state.h"

#include <utility>

#include "graphsurgeon/ir/payloads/sparse_payload.h"

namespace graphsurgeon {

std::vector<NodeRef> FoldState::add_constant(FoldScope& scope, Tensor& tensor,
                                             const PayloadPtr& values) {
  if (!scope.constants_are_nodes) {
    tensor.to_constant(values);
    scope.graph->mutable_initializers().emplace_back(&tensor);
    if (scope.constants_are_inputs) scope.graph->mutable_inputs().emplace_back(&tensor);
    facts.erase(&tensor);
    return {};
  }
  if (tensor.is_constant()) {
    tensor.to_variable(values->dtype(), DimList(values->shape().begin(), values->shape().end()));
  }
  NodeRef constant = Node::create(scope.graph->store(), "Constant");
  Attribute attribute;
  attribute.name = "value";
  const bool is_sparse = values->kind() == Payload::Kind::kSparse;
  if (is_sparse) attribute.name = "sparse_value";
  attribute.type = is_sparse ? AttributeType::kSparseTensor : AttributeType::kTensor;
  attribute.value = TensorValue{{}, values, {}};
  constant->set_attribute(std::move(attribute));
  constant->outputs().append(&tensor);
  facts[&tensor] = {values, -1};
  return {std::move(constant)};
}

std::vector<NodeRef> FoldState::write(FoldScope& scope, Node& node,
                                      const std::vector<PayloadPtr>& values,
                                      std::string_view rule) {
  Rewrite rewrite{rule, node.op(), node.name(), {}};
  const std::vector<TensorRef> tensors = node.outputs().snapshot();
  node.outputs().clear();
  std::vector<NodeRef> added;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i]->is_empty() || !values[i]) continue;
    rewrite.tensors.push_back(tensors[i]->name());
    const int64_t bytes = values[i]->nbytes();
    if (bytes > int64_t{1} << 20 && node.op() != "Constant") {
      report.large.emplace_back(tensors[i]->name(), bytes);
    }
    for (NodeRef& constant : add_constant(scope, *tensors[i], values[i])) {
      added.push_back(std::move(constant));
    }
  }
  report.rewrites.push_back(std::move(rewrite));
  return added;
}

void FoldState::refuse(const Node& node, int64_t bytes, std::string why, bool for_memory) {
  report.refusals.push_back({node.op(), node.name(), bytes, std::move(why), for_memory});
}

int64_t stored_bytes(const Payload& payload) {
  if (payload.kind() == Payload::Kind::kSparse) {
    const auto& sparse = static_cast<const SparsePayload&>(payload);
    int64_t bytes = 0;
    for (const DecodedTensor* part : {&sparse.values(), &sparse.indices()}) {
      if (part->values) bytes += part->values->nbytes();
    }
    return bytes;
  }
  return payload.nbytes();
}

int64_t live_constant_bytes(const Model& model) {
  int64_t bytes = 0;
  std::unordered_set<const Node*> nodes;
  std::unordered_set<const Tensor*> constants;
  std::vector<const Node*> todo;
  const auto use = [&](const Tensor& tensor) {
    if (tensor.is_constant()) {
      if (constants.insert(&tensor).second) bytes += stored_bytes(*tensor.payload());
      return;
    }
    for (const Node* producer : tensor.producers()) {
      if (nodes.insert(producer).second) todo.push_back(producer);
    }
  };
  const auto use_outputs = [&](const Graph& graph) {
    for (const TensorRef& output : graph.outputs()) use(*output);
  };
  if (model.graph) use_outputs(*model.graph);
  for (const FunctionRef& function : model.functions) use_outputs(*function);
  while (!todo.empty()) {
    const Node& node = *todo.back();
    todo.pop_back();
    for (const Tensor* input : node.inputs()) use(*input);
    for (const GraphRef& inner : node.subgraphs()) use_outputs(*inner);
    if (node.op() != "Constant") continue;
    for (const Attribute& attribute : node.attributes()) {
      const auto* tensor = std::get_if<TensorValue>(&attribute.value);
      if (tensor != nullptr && tensor->values) bytes += stored_bytes(*tensor->values);
    }
  }
  return bytes;
}

}  // namespace graphsurgeon
