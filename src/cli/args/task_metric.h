// Options of metrics of a model's task.
#pragma once

#include <memory>

#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/comparison/task_metrics/task_metric_comparison.h"
#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy::cli {

// The options as a job for the command's inputs, of whose number it knows nothing. `python` runs
// scripts. Throws Error.
TaskMetricJob resolve_task_metric(const ParsedArgs& args, const Environment& env,
                                  const std::shared_ptr<UserPython>& python);

}  // namespace polygraphy::cli
