// The plan of tasks that a command works on.
#pragma once

#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {

extern const ArgGroup args_task_plan;

}  // namespace polygraphy::cli
