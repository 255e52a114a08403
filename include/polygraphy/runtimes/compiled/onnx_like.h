// A network in the form of an ONNX model, for viewers of such models.
#pragma once

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

// No valid ONNX: each layer is a node whose operator is the layer's type ("CONVOLUTION"), and whose
// attributes are the layer's. Enumerators are texts, dimensions are lists ("None" where there are
// none), weights are tensors and share their bytes with the description. O(network).
graphsurgeon::Model onnx_like_from_network(const NetworkDescription& network);

}  // namespace polygraphy
