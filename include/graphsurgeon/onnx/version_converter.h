// Other versions of the operators: the onnx project's version converter.
#pragma once

#include <cstdint>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// A copy of `model` with the default-domain operators of opset `version`; older or newer. Payloads
// are shared with `model`. Local functions keep their imported versions. The converter drops
// overloads, quantization annotations, and metadata of nodes and graphs. Throws Error if the
// converter has no path between two versions of an operator, or does not know the operator.
Model convert_version(const Model& model, int64_t version);

}  // namespace graphsurgeon
