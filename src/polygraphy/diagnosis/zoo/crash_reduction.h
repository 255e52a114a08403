// The smallest model that still crashes an engine.
#pragma once

#include <optional>
#include <string>

#include "base/cancel.h"
#include "base/log.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/zoo/zoo_result.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

struct CrashReduction {
  std::string model;                   // a path
  RunnerSpec engine;                   // of a back end
  ValueMap feed = {};                  // of the model
  double seconds = 60;                 // of the whole search
  std::optional<double> timeout = {};  // of a load or an inference
  CancelToken cancel = {};
};

// nullopt: the search has not ended in time, the model does not crash again, or the smallest one is
// larger than kMostReducedBytes. Throws Error, Interrupted.
std::optional<ReducedModel> reduce_crash(const CrashReduction& crash, RunnerFactory& factory,
                                         Logger& log);

}  // namespace polygraphy
