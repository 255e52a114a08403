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

// Why the library (1.23) must not be asked about this node; empty when it may. Such nodes are not
// valid, or their tensors are of sizes that no shape has.
std::string inference_hazard(const Node& node, const onnx::InferenceContext& context);

// Whether what the library knows of values must not be asked about this node. It may be valid.
bool is_propagation_hazard(const Node& node, onnx::DataPropagationContext& values);

}  // namespace graphsurgeon
