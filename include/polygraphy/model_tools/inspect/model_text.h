// An ONNX model as text: inputs, outputs and, if wanted, layers, attributes and weights.
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

// The text behind `title`. Attributes of kinds that have no text are left out; weights that cannot
// be loaded appear as such, with the reason in the log. O(structure); of weights only what is shown
// is read.
std::string model_text(const graphsurgeon::Model& model, const ModelTextOptions& options,
                       Logger& logger, std::string title = {});

}  // namespace polygraphy
