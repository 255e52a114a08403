// `run --noise-floor`.
#pragma once

#include "cli/jobs/run_plan.h"
#include "polygraphy/comparison/run_job/run_job.h"

namespace polygraphy::cli {

// Puts the noise floor in the place of the job's comparison functions, if it is asked for.
// `factory` outlives the run. Throws Error where another option is in its way.
void judge_by_noise(Session& session, const RunPlan& plan, RunnerFactory& factory, RunJob& job);

}  // namespace polygraphy::cli
