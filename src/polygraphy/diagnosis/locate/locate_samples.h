// The samples that a model is located with.
#pragma once

#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/locate.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

struct LocateSamples {
  std::vector<ValueMap> feeds;  // of those that all sides have; not empty
  bool left;                    // some sides have more
};

// Throws Error (kNothingToLocate: no sample), Interrupted.
LocateSamples locate_samples(const LocateJob& job, const WholeModel& model, Logger& log);

}  // namespace polygraphy
