// Partially known integer vectors and scalars, for arithmetic on shapes with open dimensions.
#pragma once

#include <optional>

#include "graphsurgeon/fold/rule.h"

namespace graphsurgeon {

// Longer vectors are not followed.
inline constexpr int64_t kMaxPartialValues = 1024;

// A scalar (rank 0, one element) or vector (rank 1) of int64, int32 or bool.
struct PartialValues {
  size_t rank = 0;
  DimList elements;
};

// The known elements of an input; nullopt: none is known, or it has another type or rank.
std::optional<PartialValues> partial_input(const Node& node, size_t i, FoldContext& context);

// The node's output computed from them: arithmetic, comparisons, Where, Concat, changes of rank …
// Open dimensions are assumed not to be negative.
std::optional<PartialValues> partial_result(const Node& node, FoldContext& context);

// Records the elements of the node's first output in the context, and produces a constant if every
// element is known. Returns whether it did so; only nodes with one output are replaced.
bool settle(Node& node, PartialValues values, FoldContext& context);

}  // namespace graphsurgeon
