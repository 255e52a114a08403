// Identifies a check, whose verdicts of earlier runs may be used again (`debug reduce --resume`).
#pragma once

#include "base/fingerprint.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {

// The fingerprint of the options that decide verdicts: of the check and of the input data. Excludes
// options that select candidates, and those of logging. The command takes the groups
// args_pass_fail, args_model_checks and args_data_loader.
Fingerprint fingerprint_of_check(const ParsedArgs& args);

}  // namespace polygraphy::cli
