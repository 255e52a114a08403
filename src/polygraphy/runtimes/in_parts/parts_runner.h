// A model that is larger than the memory as a runner: its parts run one after the other, each in a
// separate session, which ends before the next begins. So jobs, files and comparisons know nothing
// of parts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/log.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/runner.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// The cut of a model, shared by runners that run side by side.
struct PartSize {
  // The most that weights and tensors of a part may take, unless one node alone takes more.
  int64_t bytes = int64_t{1} << 30;
  std::string reason = {};  // for the line that says that the model runs in parts
  bool announced = false;   // a runner has written this line
};

// A runner of this name and spec, which must be complete; all arguments outlive it. Outputs are the
// model's, in its order. Each inference starts all sessions: the first one cuts the model by the
// sizes of its feed. infer() throws as factory.make() and its runners, Error (kNotCut), and
// Interrupted between parts, once the factory's tools are cancelled. `log` gets the messages of the
// runner, `quiet` the messages of its parts' runners.
std::shared_ptr<Runner> parts_runner(const RunnerSpec& spec, const ModelSource& model,
                                     PartSize& size, RunnerFactory& factory, Logger& log,
                                     Logger& quiet);

// Makes runners of the other factory, and runs every model in parts. Messages of the parts' runners
// become VERBOSE lines.
class PartsFactory : public RunnerFactory {
 public:
  // `factory` and `log` outlive it and its runners, which do not outlive it.
  PartsFactory(RunnerFactory& factory, PartSize size, Logger& log);

  std::shared_ptr<Runner> make(const RunnerSpec& spec, const ModelSource& model,
                               Logger& log) override {
    return parts_runner(spec, model, size_, factory_, log, quiet_);
  }
  EngineSwitches switches(const RunnerSpec& spec) override { return factory_.switches(spec); }

 private:
  RunnerFactory& factory_;
  PartSize size_;
  Logger quiet_;
};

}  // namespace polygraphy
