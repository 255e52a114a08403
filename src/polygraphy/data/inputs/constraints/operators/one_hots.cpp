// Classes that are compared with all of 0, 1, 2 ...: a one-hot encoding that an exporter spelled
// out.
#include <algorithm>

#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {"Equal"};

// The number of classes, of a constant with the values 0, 1, 2 ... in order; 0 for others.
int64_t classes_in(const graphsurgeon::Tensor& tensor) {
  const auto values = constant_integers(tensor);
  if (!values || values->size() < 3) return 0;
  for (size_t i = 0; i < values->size(); ++i) {
    if ((*values)[i] != static_cast<int64_t>(i)) return 0;
  }
  return static_cast<int64_t>(values->size());
}

void add_constraints(ConstraintContext& node) {
  const auto& inputs = node.node().inputs();
  if (inputs.size() != 2) return;
  for (const size_t i : {size_t{0}, size_t{1}}) {
    if (const int64_t classes = classes_in(*inputs[1 - i]); classes > 0)
      node.constrain_to_range(i, 0, classes - 1, "classes");
  }
}

}  // namespace

extern constinit const InputConstraint input_constraint_one_hots = {.ops = kOps,
                                                                    .add = add_constraints};

}  // namespace polygraphy
