// What to type after a run that failed.
#pragma once

#include "cli/syntax/parser.h"
#include "polygraphy/report_page/report_page.h"

namespace polygraphy::cli {

// `debug locate` and `debug reduce` on the model, runners and input data of `run`; nothing where
// these are not an ONNX model and two runners.
void add_commands(const ParsedArgs& args, ReportPage& page);

}  // namespace polygraphy::cli
