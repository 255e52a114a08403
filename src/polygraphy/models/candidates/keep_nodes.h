// Removes nodes from a body or a function.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Null: it is not known.
using KnownValues = std::function<const Array*(const graphsurgeon::Tensor&)>;

struct NewArgument {
  std::string name;  // in the function
  Array value;
};

// Keeps the nodes of a body or function at these positions (ascending), and used initializers.
// Results of removed nodes are replaced by
//   a known value          if a kept node reads it
//   zeros                  in a body, if type and shape are known
//   a kept node's result   if `values` is given, and an output of the same type depends on it
//   an input of that node  otherwise, of a type that does not contradict
// An Identity produces an output of the graph that lost its producer.
// False, with an invalid graph: a result has no replacement. O(graph).
//
// A function has no constants: with `arguments`, known values become additional inputs behind the
// others, and callers must pass them.
bool keep_nodes(graphsurgeon::Graph& graph, const std::vector<size_t>& positions,
                const KnownValues& values = {}, std::vector<NewArgument>* arguments = nullptr);

}  // namespace polygraphy
