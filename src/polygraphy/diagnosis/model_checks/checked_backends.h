// The back ends that run candidates, each in a separate process that serves one candidate after
// another and restarts after a crash.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/debug_loop/check_timeout.h"
#include "polygraphy/diagnosis/model_checks/model_check.h"
#include "polygraphy/runtimes/worker/worker_client.h"

namespace polygraphy {

// How a candidate fails.
struct ModelFailure {
  std::string message;    // for the log: which output, by how much
  std::string signature;  // CheckResult::signature: the kind of failure, without names and numbers
  bool by_backend = false;  // a back end failed
  std::string output = {};  // CheckResult::output
};

// Says the message. nullopt: the candidate passes.
CheckResult verdict_of(const std::optional<ModelFailure>& failure, Logger& log);

class CheckedBackends {
 public:
  // Looks at what the back ends made of one sample: `outputs` in their order.
  using Judge = std::function<std::optional<ModelFailure>(int64_t sample, const ValueMap& feed,
                                                          const std::vector<ValueMap>& outputs)>;

  // Nothing is started yet.
  CheckedBackends(const ModelCheckOptions& options, const CheckTools& tools, Logger& log);

  const std::vector<std::string>& names() const { return names_; }

  // Loads the model in all back ends and runs it on every sample. The first failure, of a back end
  // or of `judge`. A model that cannot be fed passes, with a WARNING. Throws Error if the check
  // cannot run (a missing back end, a file that is not a model, no samples), Interrupted.
  std::optional<ModelFailure> run(const std::string& model, const Judge& judge);

 private:
  std::optional<ModelFailure> load(const std::string& model, Metadata& inputs);
  std::optional<ModelFailure> run_samples(const Metadata& inputs, const Judge& judge);
  std::optional<ModelFailure> unload();
  template <typename Step>
  std::optional<ModelFailure> guarded(size_t backend, Step step);

  std::vector<std::string> names_;
  const CheckTools tools_;
  Logger& log_;
  Logger quiet_;  // for messages of back ends about each candidate
  CheckTimeout limit_;
  std::vector<std::unique_ptr<WorkerClient>> workers_;
};

}  // namespace polygraphy
