#include "graphsurgeon/fold/slice_inputs.h"

#include <utility>

#include "graphsurgeon/fold/node_operands.h"

namespace graphsurgeon {

std::optional<std::vector<SliceParameters>> slice_inputs(const Node& node, size_t rank,
                                                         FoldContext& context) {
  bool missing = false;
  const auto starts = int_parameter(node, "starts", 1, context, missing);
  const auto ends = int_parameter(node, "ends", 2, context, missing);
  if (!starts || !ends) return std::nullopt;
  auto axes = int_parameter(node, "axes", 3, context, missing);
  if (!axes && !missing) return std::nullopt;
  // No version has an attribute for steps; the original obeys it.
  auto steps = int_parameter(node, "steps", 4, context, missing);
  if (!steps && !missing) return std::nullopt;
  return slice_parameters(rank, *starts, *ends, std::move(axes), std::move(steps));
}

}  // namespace graphsurgeon
