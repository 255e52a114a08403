// Layers for nodes of the model.
#pragma once

#include "building/network.h"

namespace tensorrt_double {

// The node's name, or "node_of_" and its first output.
std::string layer_name(const graphsurgeon::Node& node);

// The layer of a node, of the interface of its type; missing tensors are made.
LayerObject layer_for(NetworkImpl& network, const graphsurgeon::NodeRef& node);

}  // namespace tensorrt_double
