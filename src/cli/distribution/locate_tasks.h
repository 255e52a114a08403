// `debug locate --on`: the nodes of a model as tasks.
#pragma once

#include <optional>

#include "base/log.h"
#include "cli/session/session.h"
#include "polygraphy/diagnosis/locate/locate.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"
#include "tasks/distribute.h"

namespace polygraphy::cli {

// Throws Error if an option needs the whole model on one machine.
void check_locate_tasks(const ParsedArgs& args);

// A task: writes its record to the file of --save-task. Throws what locate() throws.
void run_locate_task(Session& session, const LocateJob& job, RunnerFactory& factory);

// Two jobs: one task runs both sides on one part of the model after the other; then tasks run nodes
// of parts alone. nullopt: they are queued. Throws what distribute() and locate() throw.
std::optional<LocateResult> locate_by_tasks(Session& session, const LocateJob& job,
                                            const Distribution& how, RunnerFactory& factory);

}  // namespace polygraphy::cli
