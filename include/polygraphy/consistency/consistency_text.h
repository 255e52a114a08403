// What `check_consistency` has found, as text.
#pragma once

#include <string>

#include "polygraphy/consistency/consistency.h"

namespace polygraphy {

// A table of all rows, with the notes on a row indented under it.
std::string consistency_table(const ConsistencyResult& result);

// One line: the verdict on all engines.
std::string consistency_summary(const ConsistencyResult& result);

}  // namespace polygraphy
