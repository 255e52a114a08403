// From what is demanded of a node's output to what that demands of its inputs.
#pragma once

#include <cstddef>
#include <functional>

#include "graphsurgeon/ir/node.h"
#include "polygraphy/inputs/constraints/value_domain.h"

namespace polygraphy {

using DomainSink = std::function<void(size_t input, ValueDomain domain)>;

// Operators that move values, and arithmetic with constants (of sums and products of variables,
// each gets a share). Other operators end the way: nothing is said then. Safe: inputs within what
// is said give outputs within `domain`.
void carry_back(const graphsurgeon::Node& node, size_t output, const ValueDomain& domain,
                const DomainSink& sink);

}  // namespace polygraphy
