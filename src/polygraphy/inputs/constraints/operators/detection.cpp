// Boxes, and which image of the batch they are of.
#include "polygraphy/inputs/constraints/demand.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {"NonMaxSuppression", "RoiAlign", "MaxRoiPool"};

void state(DemandingNode& node) {
  const std::string_view op = node.node().op();
  if (op == "NonMaxSuppression") {
    node.demand_range(2, 1, 8, "boxes to take");
    node.demand(3, ValueDomain::between(0, 1), "threshold of overlap");
    node.demand(4, ValueDomain::between(0, 1), "threshold of scores");
  } else if (op == "RoiAlign") {
    node.demand_indices(2, 0, 0);
  } else {
    // Rows of image, left, top, right, bottom.
    const auto images = static_cast<double>(node.dim(0, 0).value_or(1));
    const auto high = static_cast<double>(node.dim(0, -2).value_or(2));
    const auto wide = static_cast<double>(node.dim(0, -1).value_or(2));
    if (images < 1 || high < 1 || wide < 1) return;
    ValueDomain domain;
    domain.whole = true;
    domain.places = {{0, images - 1}, {0, 0}, {0, 0}, {0, wide - 1}, {0, high - 1}};
    node.demand(1, domain, "regions of " + node.name_of(0));
  }
}

}  // namespace

extern const Demand demand_detection;
constinit const Demand demand_detection = {.ops = kOps, .state = state};

}  // namespace polygraphy
