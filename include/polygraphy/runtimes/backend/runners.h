// Runners of one run.
#pragma once

#include <memory>
#include <vector>

#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {

// Never null; ownership may be shared.
using Runners = std::vector<std::shared_ptr<Runner>>;

}  // namespace polygraphy
