// Number formats that are too coarse to judge an output by.
#pragma once

#include <string>

#include "polygraphy/diagnosis/locate/node_finding.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// For an output of floating-point numbers whose error is within `threshold` times the noise of
// `format`: how large the noise is, if an output of zeros would pass, too, so that a pass would
// mean nothing. Empty: it means something. Also where the error is small whatever the noise is, or
// for the function: Sigmoid of -20 is 0 in some engines. In float32, no error that is large passes,
// unless quantised numbers may be off, too. O(nodes).
std::string too_coarse(const WholeModel& model, const std::string& tensor,
                       const JudgedError& judged, NumberFormat format, double threshold,
                       bool quantization = false);

}  // namespace polygraphy
