// `inspect model` for ONNX models.
#pragma once

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/model_tools/inspect/model_text.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy {

struct InspectModelOptions {
  ModelTextOptions show = {};
  bool unbounded_sizes = false;  // also the tensors that graphsurgeon's unbounded_tensors() finds
};

// Logs the model's text, and the list of unbounded tensors, as one INFO message each. Warns of each
// attribute of a kind that is not shown.
void inspect_model(const graphsurgeon::Model& model, const InspectModelOptions& options,
                   Logger& log);

// The same for a model that is loaded first (load_onnx()), and returned. Throws Error.
graphsurgeon::Model inspect_model(const ModelSource& source, const InspectModelOptions& options,
                                  Logger& log);

}  // namespace polygraphy
