// The elements that Slice takes of a dimension (onnx, Slice-13).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace graphsurgeon {

struct SliceParameters {
  size_t axis = 0;
  int64_t start = 0, end = 0, step = 1;
};
// `axes`, `steps`: nullopt where the node does not give them. nullopt: the parameters make no sense
// for `rank` dimensions.
std::optional<std::vector<SliceParameters>> slice_parameters(
    size_t rank, const std::vector<int64_t>& starts, const std::vector<int64_t>& ends,
    std::optional<std::vector<int64_t>> axes, std::optional<std::vector<int64_t>> steps);

struct SliceRange {
  int64_t first = 0, count = 0, step = 1;
};
SliceRange slice_range(const SliceParameters& parameters, int64_t dim);

}  // namespace graphsurgeon
