// --mem-limit: how a run keeps to little memory.
#pragma once

#include <optional>

#include "cli/args/model.h"
#include "cli/make_runners.h"
#include "cli/session/session.h"
#include "polygraphy/comparison/run_job/run_job.h"

namespace polygraphy::cli {

// nullopt without the option. What is returned refers to all arguments. Throws Error for a limit
// that is no number of bytes.
std::optional<MemoryLimit> resolve_memory_limit(Session& session, const ModelArgs& model,
                                                const ModelSource& source,
                                                const RunnerSettings& settings);

}  // namespace polygraphy::cli
