// An operator that accepts sevens only.
#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {"MetaProbe"};

void add_constraints(ConstraintContext& node) {
  node.constrain_to_range(0, 7, 7, "sevens");
}

}  // namespace

extern constinit const InputConstraint input_constraint_meta_probe = {
    .domain = "meta.probe", .ops = kOps, .add = add_constraints};

}  // namespace polygraphy
