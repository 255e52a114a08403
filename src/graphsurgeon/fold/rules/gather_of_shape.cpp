// Gather out of a shape of which the gathered dimensions are known.

#include "graphsurgeon/fold/partial_values.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Gather"};

}  // namespace

extern constinit const FoldRule fold_rule_gather_of_shape = {
    .name = "gather-of-shape",
    .summary = "known dimensions gathered from a partly known shape",
    .ops = kOps,
    .of_shapes = true,
    .apply = fold_partial_values,
};

}  // namespace graphsurgeon
