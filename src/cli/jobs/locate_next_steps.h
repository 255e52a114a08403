// Command lines to go on with behind `debug locate`.
#pragma once

#include <string>
#include <vector>

#include "cli/jobs/command_setup.h"
#include "cli/syntax/parser.h"
#include "polygraphy/diagnosis/locate/locate_result.h"

namespace polygraphy::cli {

struct NextStep {
  std::string in_log, title;  // what the command does, for the log and for a page
  std::string command;
};

// Those that apply to the result. `target`: the back end of the target; empty: it has none.
std::vector<NextStep> next_steps(const LocateResult& result, const CommandSetup& setup,
                                 const ParsedArgs& args, const std::string& target);

}  // namespace polygraphy::cli
