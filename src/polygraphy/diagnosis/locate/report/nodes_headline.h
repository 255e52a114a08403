// One sentence on the nodes of a result.
#pragma once

#include <string>
#include <string_view>

#include "polygraphy/diagnosis/locate/locate_result.h"
#include "polygraphy/diagnosis/locate/report/node_counts.h"

namespace polygraphy {

// "2 of 18 nodes are guilty ...". `verdict`: of locate_verdict().
std::string nodes_headline(const LocateResult& result, const NodeCounts& counts,
                           std::string_view verdict);
// By which the first of the ranked nodes is judged: that of a model's own numbers may be coarser
// than the target's.
std::string worst_format(const LocateResult& result);

}  // namespace polygraphy
