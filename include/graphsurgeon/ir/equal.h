// Equality by meaning; handles compare by identity.
#pragma once

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Same name; a constant and a variable can be equal. As same_name().
bool structurally_equal(const Tensor& a, const Tensor& b);
// Same kind and value, under the same name: arrays element by element (bitwise), graphs as below.
bool structurally_equal(const Attribute& a, const Attribute& b);
// Same op, name, domain ("ai.onnx" is ""), attributes in any order, and names of inputs and
// outputs.
bool structurally_equal(const Node& a, const Node& b);
// Equal inputs, outputs and nodes, in order. Names, documentation, initializers and declared types
// do not count. Iterative over nested graphs.
bool structurally_equal(const Graph& a, const Graph& b);
// As for graphs; domain, name and opset imports count, too.
bool structurally_equal(const Function& a, const Function& b);
// Same opset imports, IR version, set of functions (domain and name) and an equal main graph.
bool structurally_equal(const Model& a, const Model& b);

}  // namespace graphsurgeon
