// Nodes on which the onnx library's inference functions loop, crash or take all memory. Only for
// the sources of this library.
#pragma once

#include <string>

namespace onnx {
struct DataPropagationContext;
struct InferenceContext;
}  // namespace onnx

namespace graphsurgeon {

class Node;

// The reason not to use the library's (1.23) inference function for this node; empty: safe. Unsafe
// nodes are invalid, or their tensors have impossible sizes.
std::string inference_hazard(const Node& node, const onnx::InferenceContext& context);

// Its result differs between the standard and ONNX Runtime (disputed_slice.h).
bool is_disputed(const Node& node, const onnx::InferenceContext& context);

}  // namespace graphsurgeon
