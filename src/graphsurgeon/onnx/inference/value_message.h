// The onnx library's messages of values and attributes. Only for the sources of this library.
#pragma once

#include <string_view>

#include "graphsurgeon/ir/attribute.h"
#include "graphsurgeon/sizes/known_values.h"

namespace google::protobuf {
class Arena;
}
namespace onnx {
class AttributeProto;
class TensorProto;
}  // namespace onnx

namespace graphsurgeon {

// Longer ones are data, not shapes, axes or scales.
inline constexpr int64_t kMostValueBytes = 1024;

// The values as a message on the arena; null when they are more than that, sparse, or cannot be
// read (missing external data, say).
onnx::TensorProto* value_message(const Payload& values, std::string_view name,
                                 google::protobuf::Arena& arena);

// Appends the elements of integers (bool as 0 and 1) of rank 0 or 1. False, and nothing is changed:
// other values, or more than kMostElements.
bool append_elements(const Payload& values, std::string_view name, DimList& out);

// The attribute under the name that it has; not for references. Of tensors that value_message()
// does not take there are type and shape; of graphs inputs and outputs.
onnx::AttributeProto* attribute_message(const Attribute& attribute, google::protobuf::Arena& arena);

}  // namespace graphsurgeon
