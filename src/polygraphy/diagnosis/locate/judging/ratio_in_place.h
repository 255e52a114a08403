// Errors of further runs, judged by measurements of the model.
#pragma once

#include <cstddef>
#include <string>

#include "base/arrays/array.h"
#include "polygraphy/diagnosis/locate/locate_job.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// error / noise of a tensor in place, as JudgedError::ratio; 0 if it was not measured.
double ratio_in_place(const Measurements& measurements, const std::string& tensor, size_t sample,
                      const Array& reference, const Array& observed, NumberFormat format);

// Whether it is off by more than the noise in place (noise_verdict.h). Groups of small numbers are
// judged where the noise of elements is known: measure_in_place() keeps that of the model's
// outputs.
bool is_off_in_place(const LocateJob& job, const WholeModel& model,
                     const Measurements& measurements, const std::string& tensor, size_t sample,
                     const Array& reference, const Array& observed);

}  // namespace polygraphy
