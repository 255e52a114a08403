// `run --metric`.
#pragma once

#include <memory>

#include "cli/jobs/run_plan.h"
#include "polygraphy/comparison/run_job/run_job.h"
#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy::cli {

// With --metric: warns of options without effect, and throws Error for those that conflict.
void check_task_metric(Session& session);

// With --metric, replaces the job's comparison functions by a metric of the model's task. Throws
// Error.
void judge_by_task(Session& session, const RunPlan& plan, const std::shared_ptr<UserPython>& python,
                   RunJob& job);

}  // namespace polygraphy::cli
