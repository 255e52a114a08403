// Outputs that options name, such as tolerances, and that the model may lack.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "base/ordered_map.h"
#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy {

// Names of outputs by option: {"atol": {"logits"}}.
using NamedOutputs = OrderedMap<std::vector<std::string>>;

// Of post-processing, and of the metrics' options.
NamedOutputs named_outputs(const CompareOptions& options);
// A warning for each name that is neither an output of the ONNX model, nor an item of one. Loads
// the model only if there are names; runners report a model that cannot be loaded.
void warn_of_unknown_outputs(const NamedOutputs& named, const ModelSource& model, Logger& log);

}  // namespace polygraphy
