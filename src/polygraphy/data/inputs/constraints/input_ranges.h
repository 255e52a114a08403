// The values that a model's inputs may have, from its graph alone: `--data-loader valid`.
#pragma once

#include <string>

#include "base/arrays/array_map.h"
#include "base/log.h"
#include "base/ordered_map.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/inputs/constraints/value_range.h"

namespace polygraphy {

// Ranges of the inputs that the graph constrains, by name. `shapes`: those that the inputs will
// have (others: as the model says); inner shapes are inferred from them, and shape arithmetic is
// folded, so a bound is that of this run. One walk from the outputs to the inputs, subgraphs
// included. WARNING: constraints that cannot be met together; those nearest to the outputs hold.
// Ignores nodes inside local functions. O(model). Changes `model`, which is of no further use.
// Throws Error for weights that cannot be read.
OrderedMap<ValueRange> input_ranges(graphsurgeon::Model& model, const OrderedMap<Shape>& shapes,
                                    Logger& log);

}  // namespace polygraphy
