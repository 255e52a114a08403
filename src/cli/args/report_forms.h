// Reports of a job, for a browser and for CI systems.
#pragma once

#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {

// The options of report_forms(), which reported() (cli/jobs/report_file.h) obeys.
extern const ArgGroup args_report_forms;

}  // namespace polygraphy::cli
