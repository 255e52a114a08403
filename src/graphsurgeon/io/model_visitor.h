// Visits all graphs of a model, and all values in them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "graphsurgeon/io/implicit_initializers.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/ir/payloads/sparse_payload.h"

namespace graphsurgeon {

// The main graph, the functions, and the graphs nested in each, outer before inner, each once; in
// the order of the file. Iterative.
std::vector<const Graph*> all_graphs(const Model& model);

// The same for one graph and those nested in it.
std::vector<const Graph*> graphs_in(const Graph& root);

struct PayloadUse {
  const Graph* graph;
  const Node* node;       // the owner of the attribute; null for an initializer
  std::string_view name;  // for messages: of the tensor, else "<attribute> of node <name>"
  const PayloadPtr& values;
  const Tensor* initializer;  // null for values in attributes, and for constants of functions
};

// Initializers, constants that will be written as such (io/implicit_initializers.h), and tensors in
// attributes (decoding those that are not yet).
template <typename Use>
void for_each_payload(const Model& model, Use use);

// The payload itself if it is external, or the parts of a sparse one that are.
template <typename Use>
void for_each_external(const Payload& payload, Use use) {
  if (payload.kind() == Payload::Kind::kExternal) {
    use(static_cast<const ExternalPayload&>(payload));
  } else if (payload.kind() == Payload::Kind::kSparse) {
    const auto& sparse = static_cast<const SparsePayload&>(payload);
    for (const Payload* part : {sparse.values().values.get(), sparse.indices().values.get()}) {
      if (part && part->kind() == Payload::Kind::kExternal) {
        use(static_cast<const ExternalPayload&>(*part));
      }
    }
  }
}

template <typename Use>
void for_each_payload_in(const Graph* graph, const Node* node,
                         std::span<const Attribute> attributes, Use& use) {
  const auto visit = [&](const Attribute& attribute, const TensorValue& tensor) {
    if (!tensor.values) return;
    std::string name(attribute.name);
    name += " of node ";
    if (node) name += node->name().empty() ? node->op() : node->name();
    use(PayloadUse{graph, node, name, tensor.values, nullptr});
  };
  for (const Attribute& attribute : attributes) {
    if (const auto* tensor = std::get_if<TensorValue>(&attribute.value)) {
      visit(attribute, *tensor);
    } else if (const auto* list = std::get_if<std::vector<TensorValue>>(&attribute.value)) {
      for (const TensorValue& tensor_in_list : *list) visit(attribute, tensor_in_list);
    }
  }
}

template <typename Use>
void for_each_payload(const Model& model, Use use) {
  const ImplicitInitializers implicit(model);
  for (const Graph* graph : all_graphs(model)) {
    for (const TensorRef& tensor : graph->initializers()) {
      if (!tensor->is_constant()) continue;
      use(PayloadUse{graph, nullptr, tensor->name(), tensor->payload(), tensor.get()});
    }
    const bool is_function = dynamic_cast<const Function*>(graph) != nullptr;
    for (const Tensor* tensor : implicit.of(*graph)) {
      use(PayloadUse{graph, nullptr, tensor->name(), tensor->payload(),
                     is_function ? nullptr : tensor});
    }
    for (const NodeRef& node : graph->nodes()) {
      for_each_payload_in(graph, node.get(), node->attributes(), use);
    }
  }
  for (const FunctionRef& function : model.functions) {
    for_each_payload_in(function.get(), nullptr, function->default_attributes, use);
  }
}

}  // namespace graphsurgeon
