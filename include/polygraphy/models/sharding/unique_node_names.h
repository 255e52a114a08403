// Unique names for the nodes of a model.
#pragma once

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Renames nodes with the name of an earlier node: "n_shard_0". WARNING: each renaming. O(nodes).
// Hints require unique names; shard_sequence() and shard_weights() rename by themselves.
void make_node_names_unique(graphsurgeon::Model& model, Logger& log);

}  // namespace polygraphy
