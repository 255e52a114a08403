// The replacement of a subgraph by one node, for plugins without a custom replacement.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/passes/tensor_lookup.h"
#include "polygraphy/models/plugin_patterns/replacement_config.h"

namespace polygraphy {

// A configuration names tensors that the model has not.
inline constexpr ErrorCode kForeignPluginConfig{"plugin-config-of-another-model"};

// Throws kForeignPluginConfig when a tensor of the instance is not in the graph. `where` begins
// messages.
void check_tensors(const PluginInstance& instance, const graphsurgeon::TensorLookup& tensors,
                   const std::string& where);

// Adds a node of `op` that reads the inputs and produces the outputs of the instance; these lose
// their other producers. Unused nodes stay until tidy_replaced(). Throws Error, having changed
// nothing, for unknown tensors, outputs that a node cannot produce, and invalid attributes.
graphsurgeon::NodeRef replace_subgraph(graphsurgeon::Model& model,
                                       const graphsurgeon::TensorLookup& tensors,
                                       const std::string& op, const PluginInstance& instance,
                                       const std::string& where);

// Removes unused nodes and tensors (of new nodes: those with unused outputs), and sorts the nodes.
// Throws Error for a cycle.
void tidy_replaced(graphsurgeon::Model& model);

}  // namespace polygraphy
