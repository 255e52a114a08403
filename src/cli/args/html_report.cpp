#include "cli/args/html_report.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--report",
     .help = "Write what was found to this HTML file, with tables, curves and pictures, for any "
             "browser; it needs no network.",
     .type = ValueType::kPath,
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kOurs},
};

}  // namespace

constinit const ArgGroup args_html_report = {
    .title = "Report for a Browser", .summary = "One file with everything.", .options = kOptions};

}  // namespace polygraphy::cli
