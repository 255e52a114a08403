// The elements that Slice takes of a dimension (onnx, Slice-13).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graphsurgeon/fold/rule.h"

namespace graphsurgeon {

struct SliceParameters {
  size_t axis = 0;
  int64_t start = 0, end = 0, step = 1;
};
// From the attributes (before version 10) or from inputs whose values are decided. nullopt: they
// are not, or make no sense for `rank` dimensions.
std::optional<std::vector<SliceParameters>> slice_parameters(const Node& node, size_t rank,
                                                             FoldContext& context);

struct SliceRange {
  int64_t first = 0, count = 0, step = 1;
};
SliceRange slice_range(const SliceParameters& parameters, int64_t dim);

}  // namespace graphsurgeon
