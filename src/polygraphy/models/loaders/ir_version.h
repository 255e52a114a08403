// The IR version that a model is stamped with, and the one that it needs (onnx.proto, "IR
// VERSION").
#pragma once

#include <cstdint>
#include <string>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

struct IrNeed {
  int64_t version = 3;
  std::string reason;  // the part that needs it, for messages: "tensor 'w' is uint2"
};

// The oldest IR version that has everything the model means: element and other types, sparse
// tensors, local functions and their overloads, initializers that are not inputs. Parts that do not
// affect results (metadata, quantization annotations, device placement, training information) do
// not count. O(model's structure).
IrNeed needed_ir_version(const graphsurgeon::Model& model);

}  // namespace polygraphy
