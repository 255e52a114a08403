// Which module of the framework a node comes from.
#pragma once

#include <string>

#include "graphsurgeon/ir/node.h"

namespace polygraphy {

// "layers.3.mlp.down_proj", as torch.onnx.export writes it into the node's metadata
// (pkg.torch.onnx.name_scopes); empty: it has not.
std::string exporter_module(const graphsurgeon::Node& node);

}  // namespace polygraphy
