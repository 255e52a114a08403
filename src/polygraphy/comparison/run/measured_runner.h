// A runner in a run: its inferences, with their times and log lines.
#pragma once

#include <cstdint>

#include "polygraphy/comparison/run/inference_log.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {

class MeasuredRunner {
 public:
  // Both must outlive this.
  MeasuredRunner(Runner& runner, InferenceLog& log) : runner_(runner), log_(log) {}

  // `runs` inferences that do not count; none: no log lines.
  void warm_up(const ValueMap& feed, int64_t runs);
  // The outputs of the result are flattened (flat_names.h).
  IterationResult infer(const ValueMap& feed);
  // Logs the number of inferences and their mean time.
  void complete() { log_.runner_completed(runner_.name(), runs_, seconds_); }

  Runner& runner() { return runner_; }

 private:
  Runner& runner_;
  InferenceLog& log_;
  double seconds_ = 0;  // of all inferences
  int64_t runs_ = 0;
};

// The result of an iteration in which the runner has failed, or that comes after its failure.
IterationResult failed_iteration(const Runner& runner);

}  // namespace polygraphy
