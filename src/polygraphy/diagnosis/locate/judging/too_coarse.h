// Number formats that are too coarse to judge an output by.
#pragma once

#include <optional>
#include <string>

#include "polygraphy/diagnosis/locate/node_finding.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

struct TooCoarse {
  std::string reason = {};  // how large the noise is; empty: it decides
  bool accepted = false;    // the error is small whatever the noise is
};

// For an output whose error is within `threshold` times the noise of `format` (nullopt: whole
// numbers, truth values or texts): whether an output of zeros would pass, too, so that a pass by
// the noise would mean nothing. It means something where the error is small for the function:
// Sigmoid of -20 is 0 in some engines. In float32, no error that is large passes, unless quantised
// numbers may be off, too. O(nodes).
TooCoarse too_coarse(const WholeModel& model, const std::string& tensor, const JudgedError& judged,
                     std::optional<NumberFormat> format, double threshold,
                     bool quantization = false);

}  // namespace polygraphy
