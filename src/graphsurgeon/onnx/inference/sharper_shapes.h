// Shapes that follow from the inputs and that the standard's functions do not give. Only for the
// sources of this library.
#pragma once

#include "graphsurgeon/onnx/inference/node_context.h"

namespace graphsurgeon {

// After the standard's function of an operator of the default domain: fills in dimensions of the
// outputs that it has left open.
void sharpen_shapes(NodeContext& context);

}  // namespace graphsurgeon
