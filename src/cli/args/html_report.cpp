// --report, which reported() (cli/jobs/report_file.h) obeys.
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--report",
     .help = "Write the results to this HTML file, with tables, curves and pictures. It needs no "
             "network.",
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kOurs},
};

}  // namespace

extern constinit const ArgGroup args_html_report = {.title = "Report for a Browser",
                                                    .summary = "One HTML file with all results.",
                                                    .options = kOptions};

}  // namespace polygraphy::cli
