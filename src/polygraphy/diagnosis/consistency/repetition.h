// Runs the inputs again without any variation, and keeps how far the results differ.
#pragma once

#include <optional>
#include <string>

#include "polygraphy/diagnosis/consistency/batch_runs.h"
#include "polygraphy/diagnosis/consistency/engine_runs.h"
#include "polygraphy/diagnosis/consistency/output_difference.h"

namespace polygraphy {

// The engine runs once for all checks: samples in its session and in a new one, which may take a
// build, and the batch once a check has used it.
class Repetition {
 public:
  // Both outlive it.
  Repetition(EngineRuns& runs, BatchRuns& batch)
      : runs_(runs), batch_(batch), again_(runs.job().tolerance) {}

  // Throws Interrupted. Other errors end the runs that they are of.
  void run();
  // The worst difference of the runs so far; nullopt: they agree within the tolerance.
  std::optional<OutputDifference> difference() const;
  // The first error of a run; empty: all runs succeeded.
  const std::string& failure() const { return failure_; }

 private:
  void run_samples();
  void run_batch();

  EngineRuns& runs_;
  BatchRuns& batch_;
  WorstDifference again_;
  bool samples_ran_ = false, batch_ran_ = false;
  std::string failure_;
};

}  // namespace polygraphy
