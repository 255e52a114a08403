// Slice of a shape of which the dimensions in the slice are known.

#include "graphsurgeon/fold/partial_values.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Slice"};

}  // namespace

extern constinit const FoldRule fold_rule_slice_of_shape = {
    .name = "slice-of-shape",
    .summary = "known dimensions sliced from a partly known shape",
    .ops = kOps,
    .of_shapes = true,
    .apply = fold_partial_values,
};

}  // namespace graphsurgeon
