// `run --decode`.
#pragma once

#include "cli/jobs/run_plan.h"
#include "cli/session/session.h"
#include "polygraphy/comparison/run_job/run_job.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy::cli {

// Makes the runners of the job decode if --decode was given, prompts included. Tokens of loaded
// outputs force the runners. Throws Error: options that exclude each other, a model that is no
// decoder.
void decode_if_wanted(Session& session, const RunPlan& plan, RunnerFactory& factory, RunJob& job);

}  // namespace polygraphy::cli
