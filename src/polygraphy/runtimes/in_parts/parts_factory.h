// Runners of a model in parts, for jobs that take a factory.
#pragma once

#include <memory>

#include "base/log.h"
#include "polygraphy/runtimes/in_parts/parts_runner.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// Makes runners of the other factory, and runs every model in parts. Messages of the parts' runners
// become VERBOSE lines.
class PartsFactory : public RunnerFactory {
 public:
  // `factory` and `log` outlive it and its runners, which do not outlive it.
  PartsFactory(RunnerFactory& factory, PartSize size, Logger& log);

  std::shared_ptr<Runner> make(const RunnerSpec& spec, const ModelSource& model,
                               Logger& log) override;
  EngineSwitches switches(const RunnerSpec& spec) override { return factory_.switches(spec); }

 private:
  RunnerFactory& factory_;
  PartSize size_;
  Logger quiet_;
};

}  // namespace polygraphy
