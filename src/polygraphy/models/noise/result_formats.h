// The number formats of a model's results, by their element types.
#pragma once

#include <string>
#include <unordered_map>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// Of the floating-point tensors that nodes of the main graph make. O(nodes).
std::unordered_map<std::string, NumberFormat> result_formats(const graphsurgeon::Model& model);

}  // namespace polygraphy
