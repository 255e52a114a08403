// Categories that an encoder knows.
#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {"LabelEncoder", "CategoryMapper", "OneHotEncoder"};

template <typename T>
std::vector<T> list(const graphsurgeon::Node& node, std::string_view name) {
  const auto* attribute = node.attribute(name);
  if (attribute == nullptr || !std::holds_alternative<std::vector<T>>(attribute->value)) return {};
  return std::get<std::vector<T>>(attribute->value);
}

void add_constraints(ConstraintContext& node) {
  ValueRange range;
  range.whole = true;
  for (const std::string_view name : {"keys_strings", "cats_strings"}) {
    for (const auto text : list<std::string_view>(node.node(), name))
      range.strings.emplace_back(text);
  }
  for (const std::string_view name : {"keys_int64s", "cats_int64s"}) {
    for (const int64_t key : list<int64_t>(node.node(), name)) range.integers.push_back(key);
  }
  // A mapper goes either way: which list counts, its input's type says.
  const bool texts =
      !node.node().inputs().empty() && node.node().inputs()[0]->dtype() == DataType::kString;
  if (texts) range.integers.clear();
  if (!texts) range.strings.clear();
  node.constrain(0, range, "categories");
}

}  // namespace

extern constinit const InputConstraint input_constraint_categories = {
    .domain = "ai.onnx.ml", .ops = kOps, .add = add_constraints};

}  // namespace polygraphy
