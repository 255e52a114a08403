// Errors behind ties.
#pragma once

#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// A tie that the target decides otherwise changes all that depends on it, in a correct engine too:
// errors of these tensors in place count as noise. So does, where the reference deviates and the
// target does not, a step of the scale of a DequantizeLinear for each step between the levels that
// it reads. `positions`: in the order of data, after all nodes before them. O(nodes).
void excuse_ties(const WholeModel& model, const NodePart& positions, Measurements& measurements);

}  // namespace polygraphy
