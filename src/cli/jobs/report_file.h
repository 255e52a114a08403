// Reports of a command: the files of --report, --junit and the like, and those that a CI system
// asks for by its environment.
#pragma once

#include <functional>
#include <string_view>

#include "cli/session/session.h"
#include "pictures/report_page/report_page.h"

namespace polygraphy::cli {

// The verdict, the picture and further steps come first.
void put_in_order(ReportPage& page);

// Calls `run`, and writes the sections that it adds to the page in each requested form,
// whether it returns or throws: an exception becomes the verdict, if `run` has added none. Errors
// and warnings that the session's log has received meanwhile follow the verdict, whether they were
// shown or not. The head names `what` ("Run"), models, engines and date (page_identity.h). If no
// form is requested, the page is null, and nothing is written. Interrupted: the old contents of
// files stay. Returns the result of `run`, throws as it does, and IoError.
int reported(Session& session, std::string_view what,
             const std::function<int(ReportPage* page)>& run);

}  // namespace polygraphy::cli
