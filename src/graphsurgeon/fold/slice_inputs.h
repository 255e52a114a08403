// The parameters of a Slice whose values are decided.
#pragma once

#include <optional>
#include <vector>

#include "graphsurgeon/fold/rule.h"
#include "graphsurgeon/sizes/slice_range.h"

namespace graphsurgeon {

// From the attributes (before version 10) or from inputs. nullopt: they are not decided, or make no
// sense for `rank` dimensions.
std::optional<std::vector<SliceParameters>> slice_inputs(const Node& node, size_t rank,
                                                         FoldContext& context);

}  // namespace graphsurgeon
