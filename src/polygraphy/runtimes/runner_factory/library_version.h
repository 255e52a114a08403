// The version of a library that no runner has opened.
#pragma once

#include <string>

#include "polygraphy/runtimes/runner_spec/runner_tools.h"

namespace polygraphy {

// Of the back end's library, which a separate process opens if the tools have a program for it: a
// library may crash or hang when it is opened. Empty: it is not available. Throws Interrupted.
std::string library_version(const std::string& backend, const RunnerTools& tools);

}  // namespace polygraphy
