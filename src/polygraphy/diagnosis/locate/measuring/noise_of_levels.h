// The noise behind levels of quantised numbers that the target decided otherwise.
#pragma once

#include <vector>

#include "base/arrays/array_map.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

bool has_levels(const WholeModel& model);

// A group of nodes, by sample: feeds of the runtime for noise, its results, and the target's.
struct GroupResults {
  const NodePart& positions;
  const std::vector<ValueMap>& feeds;
  const std::vector<ArrayMap>&exact, &target;
};

// A tie that the target decides otherwise moves numbers behind it by a step, in a correct engine
// too, and few stochastic evaluations find the same tie. One more evaluation, in which each node
// that quantises hands on the target's levels: results of the group that are behind such levels, as
// far as all of them are the model's own on these inputs, or ties; by sample. Adds the levels to
// `measurements`. Throws what the runtime for noise throws.
std::vector<ArrayMap> behind_levels(const LocateRun& run, const WholeModel& model,
                                    const GroupResults& group, Measurements& measurements);

}  // namespace polygraphy
