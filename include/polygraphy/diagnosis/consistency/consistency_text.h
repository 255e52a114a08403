// Results of check_consistency() as text.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/diagnosis/consistency/consistency.h"

namespace polygraphy {

// "y[0, 3]: 0.5 became 0.25": the place of the largest difference.
std::string consistency_place(const OutputDifference& worst);

// Further lines about a row: guilty optimizers, elements beyond the tolerance, its notes. Empty for
// a check that does not apply.
std::vector<std::string> consistency_notes(const ConsistencyRow& row);

// A table of all rows, with the notes on a row indented under it.
std::string consistency_table(const ConsistencyResult& result);

// One line: the verdict on all engines.
std::string consistency_summary(const ConsistencyResult& result);

}  // namespace polygraphy
