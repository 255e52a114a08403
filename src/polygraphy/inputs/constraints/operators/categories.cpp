// Categories that an encoder knows.
#include "polygraphy/inputs/constraints/demand.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOps[] = {"LabelEncoder", "CategoryMapper", "OneHotEncoder"};

template <typename T>
std::vector<T> list(const graphsurgeon::Node& node, std::string_view name) {
  const auto* attribute = node.attribute(name);
  if (attribute == nullptr || !std::holds_alternative<std::vector<T>>(attribute->value)) return {};
  return std::get<std::vector<T>>(attribute->value);
}

void state(DemandingNode& node) {
  ValueDomain domain;
  domain.whole = true;
  for (const std::string_view name : {"keys_strings", "cats_strings"}) {
    for (const auto text : list<std::string_view>(node.node(), name))
      domain.strings.emplace_back(text);
  }
  for (const std::string_view name : {"keys_int64s", "cats_int64s"}) {
    for (const int64_t key : list<int64_t>(node.node(), name)) domain.integers.push_back(key);
  }
  // A mapper goes either way: which list counts, its input's type says.
  const bool texts =
      !node.node().inputs().empty() && node.node().inputs()[0]->dtype() == DataType::kString;
  if (texts) domain.integers.clear();
  if (!texts) domain.strings.clear();
  node.demand(0, domain, "categories");
}

}  // namespace

extern const Demand demand_categories;
constinit const Demand demand_categories = {.domain = "ai.onnx.ml", .ops = kOps, .state = state};

}  // namespace polygraphy
