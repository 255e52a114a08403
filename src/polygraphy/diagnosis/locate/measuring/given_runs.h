// Runs of a model in which results of nodes are given.
#pragma once

#include <string>
#include <vector>

#include "base/cancel.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"
#include "polygraphy/runtimes/runner_factory/runner_maker.h"

namespace polygraphy {

// The model without the nodes at these positions, whose results are inputs of the same names.
// `values`: those results, by sample; sizes that vary are open. `outputs`: of these tensors, those
// that are still computed are its outputs; none: the model's. Writes a file, which the next call
// replaces.
ModelSource given_model(const WholeModel& model, const NodePart& positions,
                        const std::vector<ArrayMap>& values,
                        const std::vector<std::string>& outputs = {});

// Each input is fed from `feeds`, or else from `values`, both by sample. Throws what the runner
// throws, Interrupted.
std::vector<ArrayMap> run_given(const RunnerMaker& maker, const ModelSource& source,
                                const std::vector<ValueMap>& feeds,
                                const std::vector<ArrayMap>& values, const CancelToken& cancel);

}  // namespace polygraphy
