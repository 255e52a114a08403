// Runners that are run together.
#pragma once

#include <memory>
#include <vector>

#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {

// None is null; others may share their ownership.
using Runners = std::vector<std::shared_ptr<Runner>>;

}  // namespace polygraphy
