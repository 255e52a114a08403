// The fewest nodes that have to stay in a higher precision.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/search/ddmin.h"

namespace polygraphy {

// A few positions, wherever they stand, with which `passes` is true and without any one of which it
// is not. All of them pass, none does not. `kinds`: of each position, the operator. First one
// position alone is looked for, in about log2(n) questions, then the kinds that are needed, then
// positions of these kinds. Nothing is asked twice.
Part fewest_kept(const std::vector<std::string>& kinds,
                 const std::function<bool(const Part&)>& passes);

}  // namespace polygraphy
