// A network in the form of an ONNX model, for viewers of such models.
#pragma once

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

// Not valid ONNX: each layer becomes a node with the layer's type as operator ("CONVOLUTION") and
// the layer's attributes. Enumerators are texts, dimensions are lists ("None" if absent), weights
// are tensors that share their bytes with the description. O(network).
graphsurgeon::Model onnx_like_from_network(const NetworkDescription& network);

}  // namespace polygraphy
