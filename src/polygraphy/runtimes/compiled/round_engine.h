// The engine of one round of a debugging loop.
#pragma once

#include <functional>
#include <string_view>

#include "base/log.h"

namespace polygraphy {

// Calls `build`. False: it threw RunnerFailure, which is one more thing that was found; the log has
// a warning and the reason, of `module`. Throws what else it throws: what was typed wrongly.
bool build_round_engine(const std::function<void()>& build, std::string_view module, Logger& log);

}  // namespace polygraphy
