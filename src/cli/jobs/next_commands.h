// Suggests commands after a comparison that failed.
#pragma once

#include <string>
#include <string_view>

#include "cli/syntax/parser.h"
#include "pictures/report_page/report_page.h"

namespace polygraphy::cli {

// `debug reduce` on the model, runners and input data of `run` or `debug locate`. `more`: further
// options. Empty where these are not an ONNX model and two runners.
std::string reduce_command(const ParsedArgs& args, std::string_view more = {});

// `debug locate` on the model, its float model, runner and input data of `debug sensitivity`.
std::string locate_command(const ParsedArgs& args);

// One line for the end of the log of a `run` whose outputs differ: how to find out whether it is
// rounding, and which node it is. Empty if that does not apply, as to tasks and tokens.
std::string next_step(const ParsedArgs& args);

// `debug reduce` and `debug locate`, after `run`.
void add_commands(const ParsedArgs& args, ReportPage& page);

}  // namespace polygraphy::cli
