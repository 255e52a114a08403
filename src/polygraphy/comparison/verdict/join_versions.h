// Versions of the engines that made the parts of a result.
#pragma once

#include <string>

#include "base/ordered_map.h"

namespace polygraphy {

// Adds the versions of a part to those of the whole. Throws Error (kOtherRun) for an engine that
// has another version in the whole, which keeps its versions then. `file`: of the part, for the
// message.
void join_versions(OrderedMap<std::string>& whole, const OrderedMap<std::string>& part,
                   const std::string& file = {});

}  // namespace polygraphy
