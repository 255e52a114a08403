// Finds the optimizers of an engine that change its results.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/diagnosis/consistency/engine_runs.h"
#include "polygraphy/diagnosis/consistency/output_difference.h"

namespace polygraphy {

struct GuiltyOptimizers {
  // Without these the results are within the tolerance, and without all but one of them they are
  // not.
  std::vector<std::string> names = {};
  std::string note = {};  // the reason for missing names
};

// Searches the optimizers that the engine can disable (EngineSwitches::optimizers), at this level,
// by comparison with results without optimisation. `likely`: tested first. `noise`: of outputs.
// About 2 log2(optimizers) sessions for one guilty optimizer. Throws as EngineRuns.
GuiltyOptimizers find_guilty_optimizers(EngineRuns& runs, const std::string& level,
                                        const std::vector<ArrayMap>& plain,
                                        const std::vector<std::string>& likely,
                                        const WorstDifference::Wider& noise);

}  // namespace polygraphy
