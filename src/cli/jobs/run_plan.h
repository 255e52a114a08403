// The command line of `run` as values of the libraries.
#pragma once

#include "cli/args/benchmark.h"
#include "cli/args/onnx_saving.h"
#include "cli/jobs/command_setup.h"
#include "cli/session/session.h"
#include "polygraphy/comparison/benchmark/benchmark_job.h"
#include "polygraphy/comparison/run_job/run_job.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy::cli {

struct RunPlan : CommandSetup {
  std::vector<RunnerSpec> runners = {};  // without names
  OnnxSaving saving = {};
  CompareOptions options = {};
  BenchmarkArgs benchmark = {};
};

// Warns of options that have no effect. Throws Error.
RunPlan resolve_run(Session& session);

// Throws Error when paths of the run are in each other's way (polygraphy/run/run_paths.h).
void check_paths(const RunPlan& plan);

// The plan's run. Scripts that compare or post-process run in `python`. `session` and `plan`
// outlive the job.
RunJob run_job(Session& session, const RunPlan& plan, const std::shared_ptr<UserPython>& python);

// The plan's benchmark of the runners of `run`, with their model and inputs.
BenchmarkJob benchmark_job(Session& session, const RunPlan& plan, const RunJob& run);

}  // namespace polygraphy::cli
