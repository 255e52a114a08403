// Copies of models, graphs, functions, nodes and tensors.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// What a copy reads in place of tensors that come from outside of it, by name. Constants are always
// copied.
using OuterTensors = std::unordered_map<std::string, TensorRef>;

// New nodes, tensors, graphs, in a store of their own; payloads are shared, and with them the file
// that they are views of. Everything else is copied: what the objects keep of their file, producer
// fields, declared types. The counter of generated names starts anew. Iterative; O(model).
Model copy(const Model& model);

// In the store of the original. Tensors that the graph uses and does not own are those of `outer`
// where it has their names, else copies of their own, without producer: so a subgraph can be copied
// alone. Nested graphs are copied with it.
GraphRef copy(const Graph& graph, const OuterTensors& outer = {});
FunctionRef copy(const Function& function);

// Without edges: name, type, shape, values (shared), documentation.
TensorRef copy(const Tensor& tensor);
// With the given inputs and outputs; graphs in attributes are copied, with `outer` as above.
NodeRef copy(const Node& node, const std::vector<TensorRef>& inputs,
             const std::vector<TensorRef>& outputs, const OuterTensors& outer = {});

}  // namespace graphsurgeon
