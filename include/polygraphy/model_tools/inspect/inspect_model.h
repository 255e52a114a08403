// `inspect model` for ONNX models.
#pragma once

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/model_tools/inspect/model_text.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy {

struct InspectModelOptions {
  ModelTextOptions show = {};
  bool unbounded_sizes = false;  // also list the tensors of graphsurgeon's unbounded_tensors()
};

// Logs the model's text, and the list of unbounded tensors, as one INFO message each. Warns of each
// attribute of a kind that has no text.
void inspect_model(const graphsurgeon::Model& model, const InspectModelOptions& options,
                   Logger& log);

// Loads the model (load_onnx()), logs it in the same way, and returns it. Throws Error.
graphsurgeon::Model inspect_model(const ModelSource& source, const InspectModelOptions& options,
                                  Logger& log);

}  // namespace polygraphy
