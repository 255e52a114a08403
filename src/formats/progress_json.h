// Progress for programs: the events of `--progress json` (docs/ci.md).
#pragma once

#include <span>
#include <string>

#include "base/progress_line.h"

namespace polygraphy {

// {"phases":[{"phase":"iteration","done":3,"total":10}],"seconds":1.5,"left":3.5}
std::string progress_json(std::span<const Progress> phases, ProgressTimes times);

}  // namespace polygraphy
