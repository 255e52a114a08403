#include "graphsurgeon/passes/constant_nodes.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "graphsurgeon/ir/attribute.h"
#include "graphsurgeon/ir/domain.h"

namespace graphsurgeon {

using polygraphy::Array;

namespace {

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

}  // namespace

PayloadPtr constant_values(const Node& node) {
  if (node.op() != "Constant" || !is_default_domain(node.domain())) return nullptr;
  const auto attributes = node.attributes();
  if (attributes.size() != 1 || node.outputs().size() != 1) return nullptr;
  return values_of(attributes[0]);
}

size_t constant_nodes_to_initializers(Model& model) {
  Graph& graph = *model.graph;
  std::vector<std::pair<NodeRef, PayloadPtr>> found;
  for (const NodeRef& node : graph.nodes()) {
    if (PayloadPtr values = constant_values(*node)) found.emplace_back(node, std::move(values));
  }
  if (found.empty()) return 0;
  auto& nodes = graph.mutable_nodes();
  // Those that were found, in the same order.
  auto next = found.begin();
  std::erase_if(nodes, [&](const NodeRef& node) {
    if (next == found.end() || next->first != node) return false;
    ++next;
    return true;
  });
  for (const auto& [node, values] : found) {
    const TensorRef tensor = node->outputs()[0];
    node->outputs().clear();
    tensor->to_constant(values);
    graph.mutable_initializers().push_back(tensor);
  }
  return found.size();
}

}  // namespace graphsurgeon
