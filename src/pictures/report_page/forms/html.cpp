// One file for a browser.
#include "pictures/report_page/report_form.h"

namespace polygraphy {

extern constinit const ReportForm report_form_html = {
    .option = "--report",
    .help =
        "Write the results to this HTML file, with tables, curves and pictures. It needs no "
        "network.",
    .render = report_html};

}  // namespace polygraphy
