// Inlines local functions: replaces each call by the nodes of the function.
#pragma once

#include <cstddef>
#include <span>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/passes/splice.h"

namespace graphsurgeon {

// The local function that a node calls; null: none of the model. O(functions).
Function* called_function(const Model& model, const Node& node);

// False where a call stays: the node calls no function of the model, or the
// function needs another version of a domain than the model imports, in which one of its operators
// differs. O(function).
bool can_be_inlined(const Model& model, const Node& call);

// Puts the nodes of functions in the places of the calls at `positions` of `graph`, which rise; all
// can_be_inlined(). `graph` is the main graph or nested in it. References to attributes become the
// call's attributes, or the function's defaults, or go. Names get "_of_" and the name of the call's
// first output. Domains that only the function imports are imported by the model. The functions
// stay: see remove_unused_functions(). `taken`: tensor_names() of the main graph; gets the names of
// the nodes, too. O(nodes of the result + calls x functions).
void inline_calls(Model& model, Graph& graph, std::span<const size_t> positions,
                  TensorNames& taken);

}  // namespace graphsurgeon
