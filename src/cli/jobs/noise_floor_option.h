// `run --noise-floor`.
#pragma once

#include "cli/jobs/run_plan.h"
#include "polygraphy/comparison/run_job/run_job.h"

namespace polygraphy::cli {

// With --noise-floor, replaces the job's comparison functions by the noise floor. `factory`
// outlives the run. Throws Error if another option conflicts.
void judge_by_noise(Session& session, const RunPlan& plan, RunnerFactory& factory, RunJob& job);

}  // namespace polygraphy::cli
