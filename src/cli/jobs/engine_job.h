// The options of a library that compiles models, for commands that build or inspect without
// running.
#pragma once

#include <string_view>

#include "cli/session/session.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/runtimes/compiled/engine_job.h"

namespace polygraphy::cli {

// The name of the GPU that engines are built for and timed on, for DeviceTurn: that of Slurm, which
// numbers those of a machine, or else that of CUDA.
std::string gpu_device(const Environment& env);

// A job in a separate process. `shapes`: of the model's inputs. `session` must outlive it. Throws
// Error.
EngineJob resolve_engine_job(Session& session, ModelSource model, Metadata shapes = {},
                             std::string_view backend = "tensorrt");

}  // namespace polygraphy::cli
