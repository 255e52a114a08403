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
  ValueMap feed;      // for all its inputs
  std::string graph;  // "loop_1/body", "if_3/then_branch"
  // For a Loop: outputs of the model, and the inputs that take them in the next iteration.
  std::vector<std::pair<std::string, std::string>> carried = {};
};

// The nodes of the body that the node at this position of the main graph runs, with their inputs:
// the executed branch of an If, one iteration of a Loop, the first of a Scan. `value`: returns
// variables that the node reads, and `carried` inputs, by name. nullopt: no body, or unknown
// inputs. O(model).
std::optional<BodyModel> body_model(const graphsurgeon::Model& model, size_t position,
                                    const std::function<const Array*(const std::string&)>& value,
                                    int64_t iteration = 0);

}  // namespace polygraphy
