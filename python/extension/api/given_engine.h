// Jobs of libraries that compile models.
#pragma once

#include "api/given_arguments.h"
#include "api/job.h"
#include "polygraphy/runtimes/compiled/engine_job.h"

namespace native {

// Reads the inputs of a call, for int8. Both outlive it.
polygraphy::CalibrationBatch calibration(const GivenRun& given, Job& job);

// Of a call with one runner, on its model in the form that the back end takes. The inputs are those
// of int8 calibration. Everything outlives the job. Throws Error: the runner is a program.
polygraphy::EngineJob engine_job(const GivenRun& given, JobRunnerFactory& factory, Job& job);

}  // namespace native
