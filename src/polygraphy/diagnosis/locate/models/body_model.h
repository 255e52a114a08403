// The body of an If, Loop or Scan as a separate model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

struct BodyModel {
  graphsurgeon::Model model;
  ValueMap feed;      // of all its inputs
  std::string graph;  // "loop_1/body"; of an If "if_3/then_branch"
  // Of a Loop: outputs of the model, and the inputs that are them in the next iteration.
  std::vector<std::pair<std::string, std::string>> carried = {};
};

// The nodes of the body that the node at this position of the main graph runs, on what it is given:
// of an If the branch that is taken, of a Loop one iteration, of a Scan the first. `value`: of
// variables that the node reads, and of `carried` inputs, by name. nullopt: it has no body, or what
// it is given is not known. O(model).
std::optional<BodyModel> body_model(const graphsurgeon::Model& model, size_t position,
                                    const std::function<const Array*(const std::string&)>& value,
                                    int64_t iteration = 0);

}  // namespace polygraphy
