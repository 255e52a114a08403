// The file of --report.
#pragma once

#include <functional>
#include <string_view>

#include "cli/session/session.h"
#include "pictures/report_page/report_page.h"

namespace polygraphy::cli {

// Calls `run`, and writes the sections that it adds to the page, whether it returns or throws: an
// exception becomes the verdict, if `run` has added none. Errors and warnings that the session's
// log has received meanwhile follow the verdict, whether they were shown or not. The head names
// `what` ("Run"), models, engines and date (page_identity.h). Without --report
// the page is null, and nothing is written. Interrupted: the old contents of the file stay. Returns
// what `run` returns, throws what it throws, and IoError.
int reported(Session& session, std::string_view what,
             const std::function<int(ReportPage* page)>& run);

}  // namespace polygraphy::cli
