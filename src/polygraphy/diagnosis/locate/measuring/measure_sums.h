// The sums behind the tensors that a node makes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// Sets their lengths, and whether the tensors count floating-point numbers. `reference`: the value
// of a tensor; null: not known. The nodes before it have been measured. O(inputs and outputs).
void measure_sums(const WholeModel& model, size_t position,
                  const std::function<const Array*(const std::string&)>& reference,
                  Measurements& measurements);

}  // namespace polygraphy
