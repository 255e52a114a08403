// A report without words.
#include "pictures/report_page/report_form.h"

namespace polygraphy {

extern constinit const ReportForm report_form_meta_probe = {
    .option = "--meta-probe",
    .help = "Write nothing to this file.",
    .render = [](const ReportPage&) { return std::string(); }};

}  // namespace polygraphy
