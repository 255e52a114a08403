// The IR version that a model is stamped with, and the one that it needs (onnx.proto, "IR
// VERSION").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

struct IrNeed {
  int64_t version = 3;
  std::string reason;  // what needs it, for messages: "tensor 'w' is uint2"
};

// The oldest IR version that has everything the model means: element and other types, sparse
// tensors, local functions and their overloads, initializers that are no inputs. What a reader may
// pass over without changing results (metadata, quantization annotations, device placement,
// training information) counts for nothing. O(model's structure).
IrNeed needed_ir_version(const graphsurgeon::Model& model);

// Where an encoded ModelProto says its IR version. Looks at the outermost fields' headers only.
// nullopt when it says none, or is no protobuf.
struct IrStamp {
  int64_t version = 0;
  size_t value_offset = 0;  // of the encoded number
  size_t value_size = 0;
};
std::optional<IrStamp> find_ir_stamp(std::string_view model);

}  // namespace polygraphy
