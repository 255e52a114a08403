// `run --decode`.
#pragma once

#include <memory>

#include "cli/jobs/run_plan.h"
#include "cli/session/session.h"
#include "polygraphy/runtimes/decoding/decoding.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy::cli {

// null: --decode was not given. Tokens of loaded outputs force the runners. Throws Error: options
// that exclude each other, a model that is no decoder.
std::shared_ptr<Decoding> resolve_decoding(Session& session, const RunPlan& plan,
                                           RunnerFactory& factory);

}  // namespace polygraphy::cli
