// Taking nodes out of a body or a function.
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

// Of the nodes of a body or function only those at these positions (ascending) stay, and the
// initializers that are used then. For what the others made stand
//   a known value          where a node that stays reads it
//   zeros                  in a body, where type and shape are known
//   what one that stays    where such values are given and the graph returns something of one type
//   has made               that was made of it
//   an input of that node  else, one whose type does not contradict. An output of the graph that no
//                          node of it makes then is made by an Identity
// False, and the graph is spoiled: there is nothing that could stand for something. O(graph).
//
// A function has no constants: with `arguments`, known values become additional inputs behind the
// others, and callers must pass them.
bool keep_nodes(graphsurgeon::Graph& graph, const std::vector<size_t>& positions,
                const KnownValues& values = {}, std::vector<NewArgument>* arguments = nullptr);

}  // namespace polygraphy
