// `run --gen-script`: the options of a run as a script of the library.
#pragma once

#include "cli/jobs/run_plan.h"
#include "cli/session/session.h"
#include "polygraphy/model_tools/codegen/run_script.h"

namespace polygraphy::cli {

// Where inputs come from, as a script has it. `shapes`: --input-shapes.
RunScript::Inputs resolve_script_inputs(const ParsedArgs& args, const Metadata& shapes);

// Writes the script where --gen-script says and returns the exit code. Throws Error for options
// that the original lacks, naming them.
int write_run_script(Session& session, const RunPlan& plan);

}  // namespace polygraphy::cli
