// Whether a model's reference computes in a coarser number format than the model.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// The coarsest format of results of `reference` whose partners in `model` have a finer one;
// nullopt: none has. `partners`: of tensors of `model`. O(nodes).
std::optional<NumberFormat> coarser_results(
    const graphsurgeon::Model& reference, const graphsurgeon::Model& model,
    const std::unordered_map<std::string, std::string>& partners);

}  // namespace polygraphy
