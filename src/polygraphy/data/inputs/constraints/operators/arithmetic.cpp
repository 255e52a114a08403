// Numbers for which a function is defined.
#include <cmath>
#include <limits>

#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {
    "Log",  "Sqrt",  "Div",   "Mod",      "Reciprocal", "Pow",     "Acos",
    "Asin", "Atanh", "Acosh", "BitShift", "Bernoulli",  "Dropout", "BatchNormalization"};
constexpr double kLeast = 1e-3;  // the least number that counts as positive

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

void positive(ConstraintContext& node, size_t i, const std::string& role) {
  const auto* tensor = i < node.node().inputs().size() ? node.node().inputs()[i] : nullptr;
  if (tensor == nullptr) return;
  node.constrain(i, ValueRange::between(is_integral(tensor->dtype()) ? 1 : kLeast, kNoLimit), role);
}

void add_constraints(ConstraintContext& node) {
  const std::string_view op = node.node().op();
  if (op == "Log") positive(node, 0, "argument");
  if (op == "Sqrt") node.constrain(0, ValueRange::between(0, kNoLimit), "argument");
  if (op == "Reciprocal") positive(node, 0, "divisor");
  if (op == "Div" || op == "Mod") positive(node, 1, "divisor");
  if (op == "Pow") {
    // Powers with fractions, and negative ones.
    const auto exponents = node.values(1);
    bool fractions = false, negative = false;
    for (const double value : exponents.value_or(std::vector<double>{})) {
      fractions |= value != std::floor(value);
      negative |= value < 0;
    }
    if (negative) {
      positive(node, 0, "base");
    } else if (fractions) {
      node.constrain(0, ValueRange::between(0, kNoLimit), "base");
    }
  }
  if (op == "Acos" || op == "Asin") node.constrain(0, ValueRange::between(-1, 1), "argument");
  if (op == "Atanh") node.constrain(0, ValueRange::between(kLeast - 1, 1 - kLeast), "argument");
  if (op == "Acosh") node.constrain(0, ValueRange::between(1, kNoLimit), "argument");
  if (op == "BitShift" && node.has(0)) {
    const int bits = bit_width(node.node().inputs()[0]->dtype());
    if (bits > 0) node.constrain_to_range(1, 0, bits - 1, "bits to shift by");
  }
  if (op == "Bernoulli") node.constrain(0, ValueRange::between(0, 1), "probabilities");
  if (op == "Dropout") node.constrain(1, ValueRange::between(0, 0.5), "ratio");
  if (op == "BatchNormalization") node.constrain(4, ValueRange::between(0, kNoLimit), "variance");
}

}  // namespace

extern constinit const InputConstraint input_constraint_arithmetic = {.ops = kOps,
                                                                      .add = add_constraints};

}  // namespace polygraphy
