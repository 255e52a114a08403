// Numbers that are read as truth values are 0 or 1.
#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {"Cast", "Sub"};

bool moves_values(const graphsurgeon::Node& node) {
  const graphsurgeon::Movement movement = facts_of(node).movement;
  return movement <= graphsurgeon::Movement::kArranges ||
         movement == graphsurgeon::Movement::kConverts;
}

// Made of integers or truth values, as masks are that users hand over.
bool comes_from_integers(const graphsurgeon::Tensor* tensor) {
  for (int steps = 0; steps < 16; ++steps) {
    const DataType type = tensor->dtype();
    if (is_integral(type) || type == DataType::kBool) return true;
    const graphsurgeon::Node* producer = tensor->producer();
    if (producer == nullptr || !moves_values(*producer) || producer->inputs().empty()) {
      return false;
    }
    tensor = producer->inputs()[0];
  }
  return false;
}

// (1 - mask) * -10000, or whatever large number.
bool becomes_penalty(const graphsurgeon::Tensor& tensor) {
  for (const graphsurgeon::Node* consumer : tensor.consumers()) {
    if (consumer->op() != "Mul") continue;
    for (const graphsurgeon::Tensor* factor : consumer->inputs()) {
      const auto values = constant_values(*factor);
      if (values && values->size() == 1 && values->front() <= -100) return true;
    }
  }
  return false;
}

void add_constraints(ConstraintContext& node) {
  const auto& inputs = node.node().inputs();
  if (inputs.empty()) return;
  if (node.node().op() == "Cast") {
    const bool to_bool = node.attribute("to", 0) == static_cast<int64_t>(DataType::kBool);
    if (to_bool) node.constrain(0, ValueRange::mask_of_rows(), "truth values");
    return;
  }
  const auto one = node.values(0);
  if (!one || one->size() != 1 || one->front() != 1 || !node.has(1)) return;
  if (comes_from_integers(inputs[1]) || becomes_penalty(*node.node().outputs()[0])) {
    node.constrain(1, ValueRange::mask_of_rows(), "mask");
  }
}

}  // namespace

extern constinit const InputConstraint input_constraint_masks = {.ops = kOps,
                                                                 .add = add_constraints};

}  // namespace polygraphy
