// The engine of one round of a debugging loop.
#pragma once

#include <functional>
#include <string_view>

#include "base/log.h"

namespace polygraphy {

// Calls `build`. False: it threw RunnerFailure, which counts as a finding; the log has a warning
// and the reason, of `module`. Throws other exceptions of it: errors of the user's options.
bool build_round_engine(const std::function<void()>& build, std::string_view module, Logger& log);

}  // namespace polygraphy
