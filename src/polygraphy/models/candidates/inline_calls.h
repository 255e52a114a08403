// Nodes of local functions in the place of their calls.
#pragma once

#include <cstddef>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// A call, in this model and in copies of it.
struct Call {
  size_t graph = 0;  // of inner_graphs_first()
  size_t node = 0;
};

// In the main graph and in bodies: those that can be replaced, not those whose functions lead back
// to themselves. O(model + functions x nodes in functions).
std::vector<Call> calls_in(const graphsurgeon::Model& model);

// These, in the order of calls_in(). Unused functions stay.
void inline_calls(graphsurgeon::Model& model, const std::vector<Call>& calls);
// Until none is left that can be replaced.
void inline_all_calls(graphsurgeon::Model& model);

}  // namespace polygraphy
