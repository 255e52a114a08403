// `inspect model` for ONNX models.
#pragma once

#include <string>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

struct InspectModelOptions {
  bool layers = false;  // --show layers: nodes and their tensors, initializers
  bool attrs = false;   // --show attrs: doc strings, and with layers the nodes' attributes
  bool weights =
      false;  // --show weights: values of initializers, and with layers and attrs of attributes
  bool unbounded_dds = false;  // --list-unbounded-dds
};

// Logs the model's text (and the list of unbounded tensors) as one INFO message each. Warns of each
// attribute of a kind that is not shown. Loading, and the message about it, are the caller's.
void inspect_model(const graphsurgeon::Model& model, const InspectModelOptions& options,
                   Logger& logger);

// The text alone, without the title `==== ONNX Model ====` and without warnings of skipped
// attributes; weights that cannot be loaded appear as such, with the reason in the log.
// O(structure); of weights only what is shown is read.
std::string model_text(const graphsurgeon::Model& model, const InspectModelOptions& options,
                       Logger& logger);

}  // namespace polygraphy
