// Inlines a nested graph or a function: replaces one node by the nodes of a body.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/tensor_names.h"

namespace graphsurgeon {

struct Splice {
  // The replacement of each input of the body; null, or missing at the end: an omitted one.
  std::vector<TensorRef> arguments = {};
  // The replacement of each output of the body; null, or missing at the end: unused. Produced by
  // the replaced node, or without a producer.
  std::vector<TensorRef> results = {};
  // Behind the names of the body's tensors. Empty: they keep their names where these are free.
  std::string_view suffix = {};
  // tensor_names() of the main graph, for several splices: each adds its names. Null: they are
  // collected, which is O(main).
  TensorNames* taken = nullptr;
};

// Replaces the node at `position` of `graph` by the nodes of `body`, which is empty afterwards.
// `graph` is the main graph `main` or nested in it. An output that the body does not make itself
// (an input or initializer of it, or one that it returns twice) comes through an Identity. O(body +
// nodes of `graph`), and the cost of names.
void splice(Graph& main, Graph& graph, size_t position, Graph& body, const Splice& how);

// The same without the list of nodes: `node` is left without tensors, for the caller to put the
// result in its place. O(body), and the cost of names.
std::vector<NodeRef> spliced_nodes(Graph& main, Graph& graph, Node& node, Graph& body,
                                   const Splice& how);

}  // namespace graphsurgeon
