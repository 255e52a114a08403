// The checks that need no command: `debug reduce --check-run` (ours).
#pragma once

#include <string>

#include "cli/session/session.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "polygraphy/debug/check.h"
#include "polygraphy/model_checks/model_check.h"

namespace polygraphy::cli {

extern const ArgGroup args_model_checks;

// Null: none was asked for.
const ModelCheck* selected_model_check(const ParsedArgs& args);
// The check's option and those of its kind as they were typed, and the time limit, for a shell;
// empty: there is no such check.
std::string model_check_words(const ParsedArgs& args);
// Makes checks of this kind. Throws Error for options that make no sense with it. They live no
// longer than the session.
MakeCheck make_selected_check(const ModelCheck& kind, Session& session,
                              const CandidateInputs& inputs);

}  // namespace polygraphy::cli
