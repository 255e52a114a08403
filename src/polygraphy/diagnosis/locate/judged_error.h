// An error beside the noise of its format.
#pragma once

#include "base/arrays/array.h"
#include "polygraphy/diagnosis/locate/measurements.h"
#include "polygraphy/diagnosis/locate/node_finding.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// `observed` as an engine of `format` has computed it; `noise`: of correct engines that add up in
// one order.
struct Making {
  double sum_length = 1;       // of the sums that have gone into it, which others add up otherwise
  bool counts_floats = false;  // whole numbers made of others: ties go either way
};
JudgedError judged_error(const Array& reference, const Array& observed, NumberFormat format,
                         const Noise& noise, const Making& making);

// error / noise, as JudgedError::ratio. `floor`: a part of the reference's norm and magnitude that
// counts as noise in any case.
double noise_ratio(const TensorError& error, double noise_norm, double noise_largest, double floor);

}  // namespace polygraphy
