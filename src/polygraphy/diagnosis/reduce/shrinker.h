// Ways to make a failing model smaller, one per file under shrinkers/.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/interestingness.h"

namespace polygraphy {

// Tools of a search.
struct SearchTools : CandidateTools {
  InterestingnessTest& test;
};

struct Shrinker {
  std::string_view name;    // "nodes"
  std::string_view phrase;  // its effect, for the log: "Taking nodes away"
  int order = 0;  // they take their turns in this order, again and again while one succeeds
  // A smaller failing model (model_size.h), derived from the failing `model`, which does not
  // change; null: not found.
  std::unique_ptr<graphsurgeon::Model> (*shrink)(const graphsurgeon::Model& model,
                                                 SearchTools& tools) = nullptr;
};

// All of the folder, in file order.
std::span<const Shrinker* const> shrinkers();
// In the order of their turns.
std::vector<const Shrinker*> ordered_shrinkers();

}  // namespace polygraphy
