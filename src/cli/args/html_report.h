// A report of a job for a browser.
#pragma once

#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {

// --report, which write_report() (cli/jobs/report_file.h) obeys.
extern const ArgGroup args_html_report;

}  // namespace polygraphy::cli
