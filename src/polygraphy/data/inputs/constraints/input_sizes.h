// The open dimensions that a model's inputs may have, from its graph alone: `--data-loader valid`.
#pragma once

#include <functional>

#include "base/arrays/array.h"
#include "base/log.h"
#include "base/ordered_map.h"
#include "graphsurgeon/ir/dim.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Shapes for these inputs: an open dimension is 1, or the least that operators inside accept
// (reflected pads, frames, kernels, constant indices), whichever open dimension decides it; one
// name has one length everywhere. Where operands do not fit together then (parts of an encoder and
// a decoder, joined behind strides), all dimensions but batches get the first of some usual lengths
// with which they do. `given`: shapes that stay, and so do lengths of their names. An INFO line for
// each dimension that is longer than 1. A constraint that no dimension of up to a million can meet
// is ignored. Tries shapes on fresh models from `make_model`, some seventy at most, each O(model).
OrderedMap<Shape> input_sizes(const std::function<graphsurgeon::Model()>& make_model,
                              const OrderedMap<graphsurgeon::DimList>& open,
                              const OrderedMap<Shape>& given, Logger& log);

}  // namespace polygraphy
