// The size of a model for a reader who has to understand it.
#pragma once

#include <compare>
#include <cstdint>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// In the order of importance.
struct ModelSize {
  int64_t nodes = 0;       // of all graphs and functions
  int64_t inputs = 0;      // of the main graph, and outputs
  int64_t attributes = 0;  // of these nodes, graphs not counted
  int64_t open = 0;        // symbolic or unknown dimensions of inputs
  int64_t elements = 0;    // of initializers, and of inputs where their shape is known

  auto operator<=>(const ModelSize&) const = default;
};

// O(model); weights are not read.
ModelSize model_size(const graphsurgeon::Model& model);

}  // namespace polygraphy
