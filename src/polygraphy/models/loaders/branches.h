// Bodies that contradict themselves: a branch that never runs may hold invalid nodes, which become
// visible only when folding determines the shapes there and replaces inner Ifs with branches.
#pragma once

#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// The first output of a node and the name of the attribute that holds the body.
using BodyId = std::pair<std::string, std::string>;

// Bodies of nodes of the main graph in which shape inference fails for a node, at any depth.
// O(model).
std::set<BodyId> contradictory_bodies(const graphsurgeon::Model& model);

// The nodes inside these bodies, at any depth; those of all bodies if one of them is missing.
std::unordered_set<const graphsurgeon::Node*> nodes_in(const graphsurgeon::Model& model,
                                                       const std::set<BodyId>& bodies);

}  // namespace polygraphy
