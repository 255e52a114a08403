// Copies of models, graphs, functions, nodes and tensors.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Tensors, by name, that a copy reads in place of tensors from outside of it. Constants are always
// copied.
using OuterTensors = std::unordered_map<std::string, TensorRef>;

// New nodes, tensors and graphs in a new store. Payloads are shared, and with them the file behind
// their views. Everything else is copied, with unknown fields, producer fields and declared types.
// The counter of generated names restarts. Iterative; O(model).
Model copy(const Model& model);

// In the store of the original. Tensors that the graph uses and does not own are replaced with
// those of `outer` of the same name, else with copies that have no producer, so a subgraph can be
// copied alone. Nested graphs are copied with it.
GraphRef copy(const Graph& graph, const OuterTensors& outer = {});
FunctionRef copy(const Function& function);

// Without edges: name, type, shape, values (shared), documentation.
TensorRef copy(const Tensor& tensor);
// With the given inputs and outputs; graphs in attributes are copied, with `outer` as above.
NodeRef copy(const Node& node, const std::vector<TensorRef>& inputs,
             const std::vector<TensorRef>& outputs, const OuterTensors& outer = {});

}  // namespace graphsurgeon
