// `run --on --worst-samples`: the tensors of the samples with the largest errors.
#pragma once

#include <string>

#include "cli/session/session.h"
#include "polygraphy/comparison/verdict/run_record.h"

namespace polygraphy::cli {

// Runs these samples again, on this machine, and saves their inputs and outputs in folders
// `worst/sample-I` of `tasks`. `words`: of the command, but for options of distribution and of the
// merge. A sample that cannot run here is a warning.
void save_worst_samples(Session& session, const RunRecord& record, const std::string& tasks,
                        const std::vector<std::string>& words);

}  // namespace polygraphy::cli
