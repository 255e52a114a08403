// Replaces calls of local functions with their nodes.
#pragma once

#include <cstddef>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// A call, in this model and in copies of it.
struct Call {
  size_t graph = 0;  // index in inner_graphs_first()
  size_t node = 0;
};

// The replaceable calls in the main graph and in bodies, without calls of recursive functions.
// O(model + functions x nodes in functions).
std::vector<Call> calls_in(const graphsurgeon::Model& model);

// Replaces these calls, in the order of calls_in(). Unused functions stay.
void inline_calls(graphsurgeon::Model& model, const std::vector<Call>& calls);
// Replaces calls until no replaceable one is left. Throws Error before there are more than `most`
// nodes: thirty functions that call each other twice make 2^30. O(nodes of the result x depth of
// calls).
void inline_all_calls(graphsurgeon::Model& model, size_t most = 1'000'000);

}  // namespace polygraphy
