// Indices stay inside the axis that they look into.
#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {"Gather",
                                     "GatherElements",
                                     "GatherND",
                                     "Scatter",
                                     "ScatterElements",
                                     "ScatterND",
                                     "OneHot",
                                     "NegativeLogLikelihoodLoss",
                                     "SoftmaxCrossEntropyLoss",
                                     "MaxUnpool",
                                     "RotaryEmbedding",
                                     "TensorScatter"};

// Each element of a row is an index into one axis.
void constrain_rows(ConstraintContext& node, bool distinct) {
  const int64_t first = node.attribute("batch_dims", 0);
  const auto length = node.dim(1, -1);
  if (!length) return;
  ValueRange range;
  range.whole = true;
  range.distinct = distinct && *length == 1;
  std::string sizes;
  for (int64_t i = 0; i < *length; ++i) {
    const int64_t size = node.dim(0, first + i).value_or(1);
    if (size < 1) return;
    range.per_column.push_back({0, static_cast<double>(size - 1)});
    sizes += (sizes.empty() ? "" : " x ") + std::to_string(size);
  }
  node.constrain(1, range, "places in " + node.name_of(0) + " (" + sizes + ")");
}

void add_constraints(ConstraintContext& node) {
  const std::string_view op = node.node().op();
  if (op == "Gather" || op == "GatherElements") {
    node.constrain_to_indices(1, 0, node.attribute("axis", 0));
  } else if (op == "Scatter" || op == "ScatterElements") {
    node.constrain_to_indices(1, 0, node.attribute("axis", 0), true);
  } else if (op == "GatherND" || op == "ScatterND") {
    constrain_rows(node, op == "ScatterND");
  } else if (op == "OneHot") {
    node.constrain_to_range(1, 1, 16, "number of classes");
    // Where the number is not known, 0 is a class all the same.
    node.constrain_to_range(0, 0, node.scalar(1).value_or(1) - 1, "classes");
  } else if (op == "NegativeLogLikelihoodLoss" || op == "SoftmaxCrossEntropyLoss") {
    node.constrain_to_indices(1, 0, 1);
  } else if (op == "MaxUnpool") {
    if (const auto shape = node.output_shape(0)) {
      int64_t size = 1;
      for (const int64_t dim : *shape) size *= dim;
      if (size < 1) return;
      ValueRange range = ValueRange::between(0, static_cast<double>(size - 1));
      range.whole = range.distinct = true;
      node.constrain(1, range, "places in the output (" + std::to_string(size) + ")");
    }
  } else if (op == "RotaryEmbedding") {
    node.constrain_to_indices(3, 1, 0);
  } else if (op == "TensorScatter") {
    const auto update = node.dim(1, node.attribute("axis", -2));
    const auto cache = node.dim(0, node.attribute("axis", -2));
    if (update && cache) node.constrain_to_range(2, 0, *cache - *update, "places to write to");
  }
}

}  // namespace

extern constinit const InputConstraint input_constraint_indices = {.ops = kOps,
                                                                   .add = add_constraints};

}  // namespace polygraphy
