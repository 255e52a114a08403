// The framework's module that a node comes from.
#pragma once

#include <string>

#include "graphsurgeon/ir/node.h"

namespace polygraphy {

// "layers.3.mlp.down_proj", from the metadata that torch.onnx.export writes into the node
// (pkg.torch.onnx.name_scopes); empty: no metadata.
std::string exporter_module(const graphsurgeon::Node& node);

}  // namespace polygraphy
