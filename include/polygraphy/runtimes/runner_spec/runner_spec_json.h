// Runners as JSON.
#pragma once

#include <string>
#include <string_view>

#include "polygraphy/runtimes/runner_spec/runner_spec.h"

namespace polygraphy {

// An object with the members "backend" or "program" and, unless they have the default value,
// "library", "bundled", "options" (a list of [key, [values]]), "inputs" (a list of
// NAME:[SHAPE]:TYPE), "profile", "single_run", "verbatim", "isolated", "timeout" and "name".
std::string runner_spec_json(const RunnerSpec& spec);
// Throws Error (kBadRunnerSpec), FormatError.
RunnerSpec parse_runner_spec_json(std::string_view json);

}  // namespace polygraphy
