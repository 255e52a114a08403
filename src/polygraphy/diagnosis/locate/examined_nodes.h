// The nodes of a model, measured group after group, and those in their bodies.
#pragma once

#include <functional>
#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/exploded_model.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// The reference's tensors of a group of nodes, by sample.
using SeeTensors = std::function<void(const std::vector<ArrayMap>& reference)>;

// In place, alone and with their neighbours. `chains`: those of the whole graph. Adds to the
// measurements. `see`: may be empty. Throws what locate() throws.
void measure_nodes(const LocateRun& run, const WholeModel& model,
                   const std::vector<NodePart>& chains, const std::vector<ValueMap>& feeds,
                   Measurements& measurements, Logger& log, const SeeTensors& see = {});

// The guilty nodes in the bodies of a node, ranked; of a loop those of the first iteration that has
// any. Empty: it has no bodies, or nothing in them is. Throws the same.
std::vector<NodeFinding> examine_bodies(const LocateRun& run, const WholeModel& model,
                                        const std::vector<ValueMap>& feeds,
                                        const NodeFinding& finding, Logger& log);

}  // namespace polygraphy
