// Options that the parser knows but this version does not support: errors and warnings.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/log.h"
#include "cli/session/environment.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {

// "TensorRT is not available: …", with the back ends in the hint, those of other folders included.
Error engine_not_available(const Environment& env, std::string_view engine);

// Throws Error for the first option that is not available in this version yet. Warns of removed
// options, with their new form, and of options of absent engines (one line per engine), unless a
// script is written, which needs no engine.
void check_for_unsupported_options(const ParsedArgs& args, Logger& log);

// Warns of options of ours for a back end whose runner is not selected; the original's are ignored
// in silence, as there.
void warn_of_unused_backend_options(const ParsedArgs& args, Logger& log);

// Warns of files that several runners of a back end write, each over the other's. Caches, which are
// added to, are none.
void warn_of_files_of_several_runners(const ParsedArgs& args, Logger& log);

}  // namespace polygraphy::cli
