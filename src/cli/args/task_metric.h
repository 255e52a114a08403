// Options of metrics of a model's task.
#pragma once

#include "cli/session/environment.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "polygraphy/comparison/task_metrics/task_metric_comparison.h"

namespace polygraphy::cli {

extern const ArgGroup args_task_metric;

// The options as a job, without inputs. Throws Error.
TaskMetricJob resolve_task_metric(const ParsedArgs& args, const Environment& env);

}  // namespace polygraphy::cli
