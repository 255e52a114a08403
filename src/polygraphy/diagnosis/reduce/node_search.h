// Taking nodes away from a failing model, wherever they stand.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"
#include "polygraphy/diagnosis/search/ddmin.h"

namespace polygraphy {

// The smallest part of the main graph's nodes that still fails: first those that depend on inputs,
// then those that feed them constants. What the nodes that are left read, and no node makes any
// more, becomes an input, for which the check makes values; where it passes then, and there is one
// sample only, a constant with the recorded value. What does not depend on inputs becomes a
// constant in any case. null: all nodes are needed. Several such searches can be part of one: the
// keys of its questions begin with structure_key().
std::unique_ptr<graphsurgeon::Model> fewest_nodes(const graphsurgeon::Model& model,
                                                  ShrinkTools& tools);

// The first of these parts that fails: positions in the main graph, ascending. Each is asked with
// inputs for which the check makes values, small ones with recorded values, too. null: none does.
std::unique_ptr<graphsurgeon::Model> first_failing_part(const graphsurgeon::Model& model,
                                                        const std::vector<Part>& parts,
                                                        ShrinkTools& tools);

// For the keys of questions about a model that was found on the way: differs for models that differ
// in nodes, inputs or constants of the main graph. O(main graph).
std::string structure_key(const graphsurgeon::Model& model);

}  // namespace polygraphy
