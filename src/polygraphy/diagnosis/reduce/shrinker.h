// Ways to make a failing model smaller, one per file under shrinkers/.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/interestingness.h"
#include "polygraphy/diagnosis/reduce/intermediates/intermediates.h"
#include "polygraphy/models/candidates/well_formed.h"

namespace polygraphy {

// Tools of a search.
struct SearchTools {
  InterestingnessTest& test;
  Intermediates&
      intermediates;  // of the model before any reduction: tensors are known by their names
  Logger& log;
};
struct ShrinkTools : SearchTools {
  Judgements& judgements;  // of this shrinker on this model
};

struct Shrinker {
  std::string_view name;    // "nodes"
  std::string_view phrase;  // what it does, for the log: "Taking nodes away"
  int order = 0;  // they take their turns in this order, again and again while one succeeds
  // A smaller failing model (model_size.h), derived from the failing `model`, which does not
  // change; null: not found.
  std::unique_ptr<graphsurgeon::Model> (*shrink)(const graphsurgeon::Model& model,
                                                 ShrinkTools& tools) = nullptr;
};

// All of the folder, in file order.
std::span<const Shrinker* const> shrinkers();
// In the order of their turns.
std::vector<const Shrinker*> ordered_shrinkers();

}  // namespace polygraphy
