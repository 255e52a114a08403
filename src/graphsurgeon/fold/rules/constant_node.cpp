// Constant nodes become constants (spec/api.md A10.3, G7).

#include <string>

#include "graphsurgeon/fold/operands.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Constant"};

PayloadPtr values_of(const Attribute& attribute) {
  const auto& value = attribute.value;
  const std::string_view name = attribute.name;
  if (name == "value" || name == "sparse_value") {
    const auto* tensor = std::get_if<TensorValue>(&value);
    return tensor ? tensor->values : nullptr;
  }
  if (name == "value_float") {
    const auto* number = std::get_if<float>(&value);
    return number ? owned_payload(Array::of<float>({}, {*number})) : nullptr;
  }
  if (name == "value_int") {
    const auto* number = std::get_if<int64_t>(&value);
    return number ? owned_payload(Array::of<int64_t>({}, {*number})) : nullptr;
  }
  if (name == "value_floats") {
    const auto* list = std::get_if<std::vector<float>>(&value);
    return list ? owned_payload(Array::of<float>({static_cast<int64_t>(list->size())}, *list))
                : nullptr;
  }
  if (name == "value_ints") {
    const auto* list = std::get_if<std::vector<int64_t>>(&value);
    return list ? owned_payload(Array::of<int64_t>({static_cast<int64_t>(list->size())}, *list))
                : nullptr;
  }
  if (name == "value_string") {
    const auto* text = std::get_if<std::string_view>(&value);
    return text ? owned_payload(Array::from_strings({}, {std::string(*text)})) : nullptr;
  }
  if (name == "value_strings") {
    const auto* list = std::get_if<std::vector<std::string_view>>(&value);
    if (list == nullptr) return nullptr;
    return owned_payload(Array::from_strings({static_cast<int64_t>(list->size())},
                                             std::vector<std::string>(list->begin(), list->end())));
  }
  return nullptr;
}

bool apply(Node& node, FoldContext& context) {
  const auto attributes = node.attributes();
  if (attributes.size() != 1 || node.outputs().size() != 1) return false;
  PayloadPtr values = values_of(attributes[0]);
  return values && context.produce({std::move(values)});
}

}  // namespace

extern const FoldRule fold_rule_constant_node;
constinit const FoldRule fold_rule_constant_node = {
    .name = "constant-node",
    .summary = "Constant nodes become initializers",
    .ops = kOps,
    .apply = apply,
};

}  // namespace graphsurgeon
