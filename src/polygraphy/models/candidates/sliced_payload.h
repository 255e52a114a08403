// A part of a weight, cut out when it is read.
#pragma once

#include "graphsurgeon/ir/payloads/payload.h"

namespace polygraphy {

// The first elements along each axis: no dimension of `shape` is greater than that of `values`.
// Null where they cannot be cut out: texts, and packed or unknown types. Reads nothing; of mapped
// values no more than the part is read later.
graphsurgeon::PayloadPtr first_elements(const graphsurgeon::PayloadPtr& values,
                                        graphsurgeon::Shape shape);

}  // namespace polygraphy
