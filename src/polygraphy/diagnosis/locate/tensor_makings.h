// How the tensors of a model come about, as far as that decides what error they may have.
#pragma once

#include <string>
#include <unordered_map>

#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/locate/judged_error.h"
#include "polygraphy/diagnosis/locate/models/whole_model.h"

namespace polygraphy {

// Of each tensor that nodes of the main graph make, in its place, by shapes that inference finds
// for such inputs: unknown ones count as adding nothing up. O(model).
std::unordered_map<std::string, Making> tensor_makings(const WholeModel& model,
                                                       const ValueMap& feed);

}  // namespace polygraphy
