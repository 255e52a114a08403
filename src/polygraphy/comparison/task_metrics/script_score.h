// A task metric that is a function of the user's.
#pragma once

#include <memory>

#include "polygraphy/comparison/task_metrics/task_metric.h"
#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy {

// A mean of scores between 0 and 1.
extern const TaskMetric kScriptMetric;

// function(outputs, label): a score between 0 and 1, higher is better. Throws Error for others.
std::unique_ptr<TaskScores> script_score(ScriptFunction function);

}  // namespace polygraphy
