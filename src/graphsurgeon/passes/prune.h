// Forces 2:4 structured sparsity onto weights, at the expense of accuracy.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_set>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// In each group of four along `axis` the two elements of smallest magnitude are zero, the first of
// equal ones first; the others stay. Worked out while it is read, from `values`: of a floating type
// of 16 or 32 bits, with an axis that four divides. Shares `values`. Takes O(1) further memory if
// those are mapped, and four rows if they are computed.
PayloadPtr pruned_payload(PayloadPtr values, size_t axis);

// Prunes every candidate (sparsity.h) that `skip` does not name, and stamps the producer if there
// was one. Everything else in the model stays as it is. Returns how many. Reads no values: saving
// does.
size_t prune(Model& model, polygraphy::Logger& logger,
             const std::unordered_set<std::string_view>& skip = {});

}  // namespace graphsurgeon
