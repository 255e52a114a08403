// Upper bounds for tensors whose values decide the size of others, by name.
#pragma once

#include <cstdint>

#include "base/log.h"
#include "base/ordered_map.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// graphsurgeon's set_size_upper_bounds(). The bound of the name "" applies to all unbounded tensors
// without a named bound. Warns of named tensors that need no bound; INFO: the bounds. Throws Error
// for an unknown name.
void set_upper_bounds(graphsurgeon::Model& model, const OrderedMap<int64_t>& wanted, Logger& log);

}  // namespace polygraphy
