// Integer vectors and scalars of which some elements are known: what shapes with open dimensions
// are computed with.
#pragma once

#include <optional>

#include "graphsurgeon/fold/rule.h"

namespace graphsurgeon {

// As many are followed.
inline constexpr int64_t kMaxPartialValues = 1024;

// A scalar (rank 0, one element) or vector (rank 1) of int64, int32 or bool.
struct PartialValues {
  size_t rank = 0;
  DimList elements;
};

// What is known of an input; nullopt: nothing, or it is of another type or rank.
std::optional<PartialValues> partial_input(const Node& node, size_t i, FoldContext& context);

// What follows for the node's output: arithmetic, comparisons, Where, Concat, changes of rank …
// Dimensions of tensors are not negative, whatever they are.
std::optional<PartialValues> partial_result(const Node& node, FoldContext& context);

// Tells the context about output `i`, and produces a constant if every element is known. Returns
// whether it did that. Only for nodes with one output if they are to be produced.
bool settle(Node& node, PartialValues values, FoldContext& context);

}  // namespace graphsurgeon
