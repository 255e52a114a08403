// Loading an ONNX model as `ModelSource` says.
#pragma once

#include <memory>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy {

// Loads the model that `source` names (INFO `Loading model: …`), infers shapes, selects outputs and
// converts to float16 as `source` says. Throws Error. Reads no payload, and does not look for
// external data.
std::unique_ptr<graphsurgeon::Model> load_onnx(const ModelSource& source, Logger& log);

}  // namespace polygraphy
