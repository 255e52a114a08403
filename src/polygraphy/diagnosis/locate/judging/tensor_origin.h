// The nodes behind a tensor, as far as they decide how its errors are judged.
#pragma once

#include <string>

#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// Whether a node that decides ties (Floor, QuantizeLinear, a comparison) is among those that the
// tensor depends on, without those that compute sizes. O(nodes).
bool is_behind_steps(const WholeModel& model, const std::string& tensor);

// The error of correct engines in a result of a function that they approximate (approximation.h),
// if its numbers are the tensor's; 0: none. O(nodes).
double error_of_function(const WholeModel& model, const std::string& tensor);

}  // namespace polygraphy
