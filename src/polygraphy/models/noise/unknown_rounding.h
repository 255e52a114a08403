// Rounding that noise does not count.
#pragma once

#include "graphsurgeon/ir/node.h"

namespace polygraphy {

// Whether a node has quantised weights, or computes with quantised numbers, in a way that is not
// understood: with_moved_weights() leaves them as they are, and noisy_model() disturbs no steps of
// theirs. O(nodes between it and where its numbers are quantised).
bool has_unknown_rounding(const graphsurgeon::Node& node);

}  // namespace polygraphy
