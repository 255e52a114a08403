// Sizes of tensors in bytes, from their types and shapes, before any value is computed.
#pragma once

#include <cstdint>

#include "graphsurgeon/ir/node.h"

namespace graphsurgeon {

// -1 when the type or a dimension is unknown, and for strings.
int64_t tensor_bytes(const Tensor& tensor);
// The sum over all outputs; -1 when the size of one of them is unknown.
int64_t result_bytes(const Node& node);

}  // namespace graphsurgeon
