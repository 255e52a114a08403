// Names that tell the nodes of a model apart.
#pragma once

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Renames nodes that have the name of another: "n_shard_0". WARNING: each. O(nodes). Hints can be
// made of models with unique names only; shard_sequence() and shard_weights() rename by themselves.
void make_node_names_unique(graphsurgeon::Model& model, Logger& log);

}  // namespace polygraphy
