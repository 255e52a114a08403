// The nodes that a compiling library refuses, as text.
#pragma once

#include <string>

#include "polygraphy/runtimes/compiled/engine_job.h"

namespace polygraphy {

// The table of `inspect capability`, by local functions. O(refused nodes).
std::string capability_text(const Capability& capability);

}  // namespace polygraphy
