// What `check_consistency` has found, as text.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/diagnosis/consistency/consistency.h"

namespace polygraphy {

// "y[0, 3]: 0.5 became 0.25": where two results are farthest apart.
std::string consistency_place(const OutputDifference& worst);

// What is to be said about a row besides, a line each: guilty optimizers, elements beyond the
// tolerance, its notes. None for a check that does not apply.
std::vector<std::string> consistency_notes(const ConsistencyRow& row);

// A table of all rows, with the notes on a row indented under it.
std::string consistency_table(const ConsistencyResult& result);

// One line: the verdict on all engines.
std::string consistency_summary(const ConsistencyResult& result);

}  // namespace polygraphy
