// `plugin autotune`: from its options to the job.
#pragma once

#include <string_view>

#include "cli/session/session.h"

namespace polygraphy::cli {

// The back end that measures where no runner is selected.
inline constexpr std::string_view kDefaultTimedBackend = "tensorrt";

int run_autotuning(Session& session);

}  // namespace polygraphy::cli
