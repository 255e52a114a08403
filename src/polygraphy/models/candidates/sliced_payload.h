// A part of a weight, cut out when it is read.
#pragma once

#include "graphsurgeon/ir/payloads/payload.h"

namespace polygraphy {

// The first elements along each axis: no dimension of `shape` is greater than the dimension of
// `values`. Null for an unknown element type. Reads only texts; of other mapped values, the part is
// read later, and packed ones (int4 …) as a whole. Throws as loading texts.
graphsurgeon::PayloadPtr first_elements(const graphsurgeon::PayloadPtr& values,
                                        graphsurgeon::Shape shape);

}  // namespace polygraphy
