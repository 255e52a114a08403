// The options of TensorRT, for commands that build or inspect without running.
#pragma once

#include "cli/args/model.h"
#include "cli/session/session.h"
#include "polygraphy/engines/engine_job.h"

namespace polygraphy::cli {

// In a process of its own. `session` outlives it. Throws Error.
EngineJob resolve_engine_job(Session& session, const ModelArgs& model);

}  // namespace polygraphy::cli
