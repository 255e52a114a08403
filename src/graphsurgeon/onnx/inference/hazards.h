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

// Why the library's (1.23) inference function must not be called for this node; empty if it may.
// Such nodes are invalid, or their tensors have impossible sizes.
std::string inference_hazard(const Node& node, const onnx::InferenceContext& context);

// Whether the library's data propagation must not be called for this node, which may be valid.
bool is_propagation_hazard(const Node& node, onnx::DataPropagationContext& values);

// Its result differs between the standard and ONNX Runtime (disputed_slice.h).
bool is_disputed(const Node& node, const onnx::InferenceContext& context);

}  // namespace graphsurgeon
