// Other versions of the operators: the onnx project's version converter.
#pragma once

#include <cstdint>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// A copy of `model` whose default-domain operators are those of opset `version`; older or newer.
// Payloads are shared with `model`. Local functions keep the versions that they import themselves.
// What the converter does not carry over: overloads, quantization annotations, metadata of nodes
// and graphs. Throws Error when the converter has no way between two versions of an operator, or
// does not know the operator.
Model convert_version(const Model& model, int64_t version);

}  // namespace graphsurgeon
