// Constraint propagation: from the range of a node's output to ranges of its inputs.
#pragma once

#include <cstddef>
#include <functional>

#include "graphsurgeon/ir/node.h"
#include "polygraphy/data/inputs/constraints/value_range.h"

namespace polygraphy {

using RangeSink = std::function<void(size_t input, ValueRange range)>;

// Operators that move values, and arithmetic with constants (of sums and products of variables,
// each gets a share). Other operators end the propagation: the sink is not called. Safe: inputs
// within the ranges given give outputs within `range`.
void propagate_backward(const graphsurgeon::Node& node, size_t output, const ValueRange& range,
                        const RangeSink& sink);

}  // namespace polygraphy
