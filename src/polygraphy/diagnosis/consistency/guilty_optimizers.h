// Which optimizers of an engine make its results differ.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/diagnosis/consistency/engine_runs.h"

namespace polygraphy {

struct GuiltyOptimizers {
  // Without these the results are within the tolerance, and without all but one of them they are
  // not.
  std::vector<std::string> names = {};
  std::string note = {};  // why there are no names
};

// Of those that the engine can leave out (EngineSwitches::optimizers), at this level, against what
// it returns without optimisation. `likely`: asked first. About 2 log2(optimizers) sessions for one
// that is guilty. Throws as EngineRuns.
GuiltyOptimizers find_guilty_optimizers(EngineRuns& runs, const std::string& level,
                                        const std::vector<ArrayMap>& plain,
                                        const std::vector<std::string>& likely);

}  // namespace polygraphy
