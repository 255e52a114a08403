// The samples that a model is located with.
#pragma once

#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

struct LocateSamples {
  std::vector<ValueMap> feeds;  // of those that all sides have; not empty
  bool left;                    // some sides have more
  bool generated;               // not read: the shapes are made up
};

// For the inputs of the reference's model, if it has one, which may have the names of the target's.
// Throws Error (kNothingToLocate: no sample), Interrupted.
LocateSamples locate_samples(const LocateRun& run, const WholeModel& model, Logger& log);

}  // namespace polygraphy
