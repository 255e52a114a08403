// Attributes and tensors as encoded protobuf messages, for what the package converts itself.
#pragma once

#include <string>
#include <string_view>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/wire/writer.h"
#include "python_api.h"

namespace native {

using graphsurgeon::wire::encoded;

// The first field of that number in a message; empty if it is missing.
std::string_view field_of(std::string_view message, uint32_t field);

// An AttributeProto.
PyRef encoded_attribute(const graphsurgeon::Node& node, const graphsurgeon::Attribute& attribute);
// The attribute in such a message, made for nodes of `store`. Throws FormatError.
graphsurgeon::Attribute decoded_attribute(graphsurgeon::Store& store, std::string_view message);
// The values in a TensorProto, or in a SparseTensorProto. Throws FormatError.
graphsurgeon::PayloadPtr decoded_tensor(std::string_view message, bool sparse);

}  // namespace native
