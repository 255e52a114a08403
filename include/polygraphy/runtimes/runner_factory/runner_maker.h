// Runners of one spec, of one model after another.
#pragma once

#include <memory>

#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// Everything outlives it.
struct RunnerMaker {
  RunnerFactory& factory;
  const RunnerSpec& spec;
  Logger& log;

  // RunnerFactory::make().
  std::shared_ptr<Runner> make(const ModelSource& model) const {
    return factory.make(spec, model, log);
  }
};

}  // namespace polygraphy
