// Sizes of a model's outputs for given inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/arrays/array_map.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

struct OutputSize {
  std::string name;
  std::optional<uint64_t> bytes;  // nullopt: known after a run only
};

// Infers the sizes of the outputs for inputs of these shapes and types, which changes the model.
// Sizes of texts, and of shapes that depend on values, are not known. O(nodes).
std::vector<OutputSize> output_sizes(graphsurgeon::Model& model, const ArrayMap& feed);

}  // namespace polygraphy
