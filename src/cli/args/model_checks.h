// The checks that need no command: `debug reduce --check-run` (ours).
#pragma once

#include <string>
#include <vector>

#include "cli/session/session.h"
#include "cli/syntax/parser.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/model_checks/model_check.h"

namespace polygraphy::cli {

// Null: not selected.
const ModelCheck* selected_model_check(const ParsedArgs& args);
// Whether all of its back ends read external data that is a hard link.
bool check_reads_links(const ParsedArgs& args);
// The options that say what it does: its own, and those of the back ends that it uses.
std::vector<std::string> model_check_keys(const ParsedArgs& args);
// The same, and the time limit, with their values, for a shell; empty: there is no such check.
std::string model_check_words(const ParsedArgs& args);
// The options of a run on the back ends that it uses, for a shell: "--onnxrt --openvino
// --openvino-precision bf16". Empty: there is no such check, or it runs nothing.
std::string runner_words(const ParsedArgs& args);
// Throws Error for options of back ends and comparisons, of which only checks without a command
// make use.
void refuse_options_of_checks(const ParsedArgs& args);
// Makes checks of this kind. Throws Error for options that make no sense with it. They live no
// longer than the session.
MakeCheck make_selected_check(const ModelCheck& kind, Session& session,
                              const CandidateInputs& inputs);

}  // namespace polygraphy::cli
