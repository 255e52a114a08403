// Boxes, and which image of the batch they are of.
#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {"NonMaxSuppression", "RoiAlign", "MaxRoiPool"};

void add_constraints(ConstraintContext& node) {
  const std::string_view op = node.node().op();
  if (op == "NonMaxSuppression") {
    node.constrain_to_range(2, 1, 8, "boxes to take");
    node.constrain(3, ValueRange::between(0, 1), "threshold of overlap");
    node.constrain(4, ValueRange::between(0, 1), "threshold of scores");
  } else if (op == "RoiAlign") {
    node.constrain_to_indices(2, 0, 0);
  } else {
    // Rows of image, left, top, right, bottom.
    const auto images = static_cast<double>(node.dim(0, 0).value_or(1));
    const auto high = static_cast<double>(node.dim(0, -2).value_or(2));
    const auto wide = static_cast<double>(node.dim(0, -1).value_or(2));
    if (images < 1 || high < 1 || wide < 1) return;
    ValueRange range;
    range.whole = true;
    range.per_column = {{0, images - 1}, {0, 0}, {0, 0}, {0, wide - 1}, {0, high - 1}};
    node.constrain(1, range, "regions of " + node.name_of(0));
  }
}

}  // namespace

extern constinit const InputConstraint input_constraint_detection = {.ops = kOps,
                                                                     .add = add_constraints};

}  // namespace polygraphy
