// Taking nodes away from a failing model, wherever they stand.
#pragma once

#include <memory>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"
#include "polygraphy/diagnosis/search/ddmin.h"

namespace polygraphy {

// The smallest part of the main graph's nodes that still fails: first those that depend on inputs,
// then those that feed them constants. Tensors that lost their producer become graph inputs, which
// the check fills; if the candidate then passes, and there is only one sample, they become
// constants with recorded values. Tensors that do not depend on inputs always become constants.
// null: all nodes are needed.
std::unique_ptr<graphsurgeon::Model> fewest_nodes(const graphsurgeon::Model& model,
                                                  SearchTools& tools);

// The questions that fewest_nodes() begins with; none if no node may go. The arguments must outlive
// the result.
Upcoming<Candidate> upcoming_of_fewest_nodes(const graphsurgeon::Model& model, SearchTools& tools);

// The first of these parts that fails: positions in the main graph, ascending. Each is tested with
// inputs that the check fills, small ones with recorded values, too. null: no part fails.
std::unique_ptr<graphsurgeon::Model> first_failing_part(const graphsurgeon::Model& model,
                                                        const std::vector<Part>& parts,
                                                        SearchTools& tools);

}  // namespace polygraphy
