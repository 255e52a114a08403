// Work on many machines (ours).
#pragma once

#include <optional>

#include "cli/session/session.h"
#include "cli/syntax/parser.h"
#include "tasks/distribute.h"

namespace polygraphy::cli {

// --on and its companions; nullopt: the command does its work itself. Throws Error.
std::optional<Distribution> resolve_distribution(Session& session);

// --cpus, --memory and --gpus of a task. Throws Error.
TaskNeeds resolve_task_needs(const ParsedArgs& args);

}  // namespace polygraphy::cli
