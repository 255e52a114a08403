// Versions of engines in tasks: those of all machines must be the same.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/ordered_map.h"
#include "cli/syntax/parser.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"
#include "tasks/task.h"

namespace polygraphy::cli {

// An engine of this machine has another version than the plan says.
inline constexpr ErrorCode kOtherVersion{"other-version"};

// Asks the libraries of this machine for their versions, and gives them to the tasks: other
// versions are other tasks. An engine that only the workers have is left out.
void add_versions(TaskJob& job, const std::vector<RunnerSpec>& specs, RunnerFactory& factory);

// In a task that has run. Throws Error (kOtherVersion).
void require_versions(const ParsedArgs& args, const OrderedMap<std::string>& used);

}  // namespace polygraphy::cli
