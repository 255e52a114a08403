// Where a reduction begins: at nodes that are under suspicion.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"

namespace polygraphy {

inline constexpr ErrorCode kNoSuchNode{"no-such-node"};

// Throws Error for a name that no node has, no tensor that a node makes, and neither in the model
// with its functions' nodes in the place of their calls (kNoSuchNode).
void require_nodes(const graphsurgeon::Model& model, const std::vector<std::string>& names);

// Nodes to add to a set that does not fail alone.
enum class StartingAt {
  kNodes,    // nodes that may be at fault among those around them
  kOutputs,  // nodes whose results are wrong: those before them
};

// A part of a model that fails, with these nodes in it: each of them alone, out of the bodies
// around it; then all of them, bodies included; then with more and more of the nodes around them,
// up to half of the model. `names`: as for require_nodes(), or paths of tensors (NamedNodes);
// unknown ones are left out. `whole` has the outputs of the user's model, `failing` is its failing
// form. null: no such part fails.
std::unique_ptr<graphsurgeon::Model> start_at(const graphsurgeon::Model& whole,
                                              const graphsurgeon::Model& failing,
                                              const std::vector<std::string>& names,
                                              StartingAt what, SearchTools& tools);

}  // namespace polygraphy
