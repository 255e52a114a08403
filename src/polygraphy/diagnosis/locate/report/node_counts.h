// Numbers of nodes by what locate() says of them.
#pragma once

#include <algorithm>
#include <cstddef>

#include "polygraphy/diagnosis/locate/locate_result.h"

namespace polygraphy {

struct NodeCounts {
  size_t guilty = 0, overflowing = 0;
  size_t unexplained = 0;
  size_t off = 0;      // wrong but not guilty: victims, amplifiers and the unexplained ones
  size_t unknown = 0;  // not compared
};

NodeCounts count_nodes(const LocateResult& result);
size_t count(const LocateResult& result, NodeVerdict verdict);

// Neither alone nor in place.
bool was_not_compared(const NodeFinding& finding);
// Wrong in place, where its inputs were not compared.
bool is_unexplained(const NodeFinding& finding);

// The first of the ranked nodes that fits, which is among them.
const NodeFinding& first_of(const LocateResult& result, auto fits) {
  return *std::ranges::find_if(result.nodes, fits);
}

}  // namespace polygraphy
