// An ONNX model as text: inputs, outputs and, optionally, layers, attributes and weights.
#pragma once

#include <string>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

struct ModelTextOptions {
  bool layers = false;   // nodes and their tensors, initializers
  bool attrs = false;    // doc strings, and with layers the nodes' attributes
  bool weights = false;  // values of initializers, and with layers and attrs of attributes
};

// The text after `title`. Leaves out attributes of kinds without a text. Marks weights that cannot
// be loaded, and logs the reason. O(structure); reads only the weights that it shows.
std::string model_text(const graphsurgeon::Model& model, const ModelTextOptions& options,
                       Logger& logger, std::string title = {});

}  // namespace polygraphy
