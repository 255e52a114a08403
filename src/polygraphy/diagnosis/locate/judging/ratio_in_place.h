// Errors of further runs, judged by measurements of the model.
#pragma once

#include <cstddef>
#include <string>

#include "base/arrays/array.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// error / noise of a tensor in place, as JudgedError::ratio; 0 if it was not measured.
double ratio_in_place(const Measurements& measurements, const std::string& tensor, size_t sample,
                      const Array& reference, const Array& observed, NumberFormat format);

}  // namespace polygraphy
