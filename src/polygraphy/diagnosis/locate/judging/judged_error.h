// An error beside the noise of its format.
#pragma once

#include "base/arrays/array.h"
#include "polygraphy/diagnosis/locate/judging/accumulation.h"
#include "polygraphy/diagnosis/locate/judging/noise.h"
#include "polygraphy/diagnosis/locate/node_finding.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// The coarser of a format and of both element types. float32 for other types than floating-point
// ones.
NumberFormat format_of_numbers(NumberFormat format, const Array& reference, const Array& observed);

// The error of `observed`, a result of an engine of `format`, judged by the noise of correct
// engines with one order of sums, `noise`.
JudgedError judged_error(const Array& reference, const Array& observed, NumberFormat format,
                         const Noise& noise, const Accumulation& accumulation);

// error / noise, as JudgedError::ratio. `floor`: the fraction of the reference's norm and magnitude
// that always counts as noise.
double noise_ratio(const TensorError& error, double noise_norm, double noise_largest, double floor);

}  // namespace polygraphy
