// The part of a model that the evaluator computes, as a separate model.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graphsurgeon/fold/fold_state.h"

namespace graphsurgeon {

struct Region {
  Model model;
  // Constants of more than a few bytes are inputs, and come as views.
  std::vector<std::pair<std::string, Array>> feeds;
  // The outputs of the model: entry and number of the node's output.
  std::vector<std::pair<int32_t, size_t>> outputs;
};

// Everything that `targets` (entries without values; of scopes with the same opset imports) need.
// Names are those of the model, numbered where graphs use them twice, so that errors of the runtime
// can be read. O(nodes and small constants in it). Throws as Payload::load().
Region make_region(const FoldState& state, const std::vector<int32_t>& targets);

}  // namespace graphsurgeon
