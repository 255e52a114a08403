// Types and values as text for the report.
#pragma once

#include <string>

#include "graphsurgeon/ir/attribute.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/tensor.h"

namespace graphsurgeon {

// "float32[1, 'N', ?]", "float32 of unknown rank", "sequence".
std::string tensor_type_text(const Tensor& tensor);
// The same, but of a constant that is an input as well, as the input declares it.
std::string declared_type_text(const Tensor& tensor);
// The same, as this list of the graph declares it: an output that is an input has two declarations.
std::string declared_type_text(const Graph& graph, GraphList list, const Tensor& tensor);
// "float32[2, 3]"
std::string payload_type_text(const Payload& payload);
// "[1, 2]", "'SAME_UPPER'", "float32[2, 3]"; long lists are cut.
std::string attribute_text(const Attribute& attribute);

}  // namespace graphsurgeon
