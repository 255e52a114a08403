// The head of a page: what it is about.
#pragma once

#include <string>
#include <string_view>

#include "cli/session/session.h"
#include "pictures/report_page/report_page.h"

namespace polygraphy::cli {

// "Run of model.onnx": `what` and the names of the models that the command got, without folders.
std::string page_title(const ParsedArgs& args, std::string_view what);

// Model, engines with versions, tolerances and date (SOURCE_DATE_EPOCH, else now), for the page's
// head. Opens the engines' libraries: for the end of a command.
void identify(Session& session, ReportPage& page);

}  // namespace polygraphy::cli
