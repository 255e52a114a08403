// The replacement of a subgraph by one node, where a plugin has none of its own.
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

// Adds a node of `op` that reads the inputs and makes the outputs of the instance; these lose their
// other producers. What nothing needs any more stays until tidy_replaced(). Throws Error, having
// changed nothing, for tensors that are not there or cannot be made by a node, and for attributes
// that no node can have.
graphsurgeon::NodeRef replace_subgraph(graphsurgeon::Model& model,
                                       const graphsurgeon::TensorLookup& tensors,
                                       const std::string& op, const PluginInstance& instance,
                                       const std::string& where);

// Removes what is not needed any more (of new nodes: those whose outputs nothing needs), and sorts
// the nodes. Throws Error where nodes would need each other's outputs.
void tidy_replaced(graphsurgeon::Model& model);

}  // namespace polygraphy
