// Lengths of sequences that lie within the data.
#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {
    "RNN",        "GRU",           "LSTM",           "ReverseSequence",
    "SequenceAt", "SequenceErase", "SequenceInsert", "Attention"};

void add_constraints(ConstraintContext& node) {
  const std::string_view op = node.node().op();
  if (op == "RNN" || op == "GRU" || op == "LSTM") {
    const int64_t time = node.dim(0, node.attribute("layout", 0) == 0 ? 0 : 1).value_or(1);
    if (time >= 1) node.constrain_to_range(4, 1, time, "lengths of sequences");
  } else if (op == "ReverseSequence") {
    const int64_t time = node.dim(0, node.attribute("time_axis", 0)).value_or(1);
    if (time >= 1) node.constrain_to_range(1, 1, time, "lengths of sequences");
  } else if (op == "Attention") {
    const auto keys = node.dim(1, -2);
    if (keys && *keys >= 1) node.constrain_to_range(6, 1, *keys, "lengths without padding");
  } else {
    // How many elements a sequence will have is not known.
    node.constrain_to_range(op == "SequenceInsert" ? 2 : 1, 0, 0, "place in the sequence");
  }
}

}  // namespace

extern constinit const InputConstraint input_constraint_lengths = {.ops = kOps,
                                                                   .add = add_constraints};

}  // namespace polygraphy
