// The accumulation behind each tensor of a model, which determines its possible error.
#pragma once

#include <string>
#include <unordered_map>

#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/locate/judging/judged_error.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

struct TensorAccumulation {
  Accumulation own, in_place;  // of the node alone; of all that it depends on, too
};

// For each output of nodes of the main graph, by inferred shapes for such inputs; unknown shapes
// count as no sum. O(model).
std::unordered_map<std::string, TensorAccumulation> tensor_accumulations(const WholeModel& model,
                                                                         const ValueMap& feed);

}  // namespace polygraphy
