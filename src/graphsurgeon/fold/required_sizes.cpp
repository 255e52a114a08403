#include "graphsurgeon/fold/required_sizes.h"

#include <optional>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/operators/operator_facts.h"

namespace graphsurgeon {

namespace {

// A dimension of one of the node's inputs.
struct Place {
  const Tensor* tensor = nullptr;
  size_t axis = 0;
  Dim dim = {};
};

// Negative axes count from the end. None: the shape is not known, or lacks the axis.
std::optional<Place> place(const Node& node, size_t input, int64_t axis) {
  const Tensor* tensor = input_at(node, input);
  const auto shape = tensor != nullptr ? tensor->shape() : std::nullopt;
  if (!shape) return std::nullopt;
  const auto at = axis_of(axis, shape->size());
  if (!at) return std::nullopt;
  return Place{tensor, *at, (*shape)[*at]};
}

// A constraint: the first has `factor` times the size of the second.
struct Pair {
  std::optional<Place> first, second;
  int64_t factor = 1;
};

Pair inner_dimensions(const Node& node) {
  const OperatorFacts& facts = facts_of(node);
  if (facts.layout == WeightLayout::kNone) return {};
  const auto weight = static_cast<size_t>(facts.weight);
  auto right = place(node, weight, summed_axis(node, weight));
  if (!right) right = place(node, weight, 0);  // a vector
  const bool grouped = facts.layout == WeightLayout::kOutputsFirst;
  return {place(node, 0, summed_axis(node, 0)), right,
          grouped ? int_attribute(node, "group", 1) : 1};
}

// The sizes of the parts make the whole.
std::vector<RequiredSize> size_of_parts(const Node& node) {
  const auto whole = place(node, 0, int_attribute(node, "axis", 0));
  if (!whole || whole->dim.has_value()) return {};
  auto parts = ints_attribute(node, "split");
  const Tensor* given = input_at(node, 1);
  if (!parts && given != nullptr && given->is_constant()) {
    const PayloadPtr values = given->payload();
    if (values->dtype() != DataType::kInt64 || values->nbytes() > kSmallBytes) return {};
    const Array array = values->load(given->name());
    for (parts.emplace(); static_cast<int64_t>(parts->size()) < array.size();) {
      parts->push_back(array.get_int64(static_cast<int64_t>(parts->size())));
    }
  }
  if (!parts || parts->empty()) return {};
  int64_t size = 0;
  for (const int64_t part : *parts) {
    if (part < 0 || __builtin_add_overflow(size, part, &size)) return {};
  }
  return {{whole->tensor, whole->axis, size}};
}

}  // namespace

std::vector<RequiredSize> required_sizes(const Node& node) {
  if (!is_default_domain(node.domain())) return {};
  if (node.op() == "Split") return size_of_parts(node);
  const auto [first, second, factor] = inner_dimensions(node);
  if (!first || !second || factor < 1) return {};
  if (second->dim.is_static() && !first->dim.has_value()) {
    int64_t size = 0;
    if (__builtin_mul_overflow(second->dim.value(), factor, &size)) return {};
    return {{first->tensor, first->axis, size}};
  }
  if (first->dim.is_static() && !second->dim.has_value() && first->dim.value() % factor == 0) {
    return {{second->tensor, second->axis, first->dim.value() / factor}};
  }
  return {};
}

OpenInputs::OpenInputs(const Graph& graph) {
  for (const TensorRef& input : graph.inputs()) {
    const DimList* shape = input->is_constant() ? nullptr : input->declared_shape();
    if (shape == nullptr) continue;
    inputs_.emplace(input.get(), input.get());
    for (const Dim& dim : *shape) {
      if (dim.has_value() || dim.param().empty()) continue;
      const auto [known, is_new] = by_name_.emplace(dim.param(), input.get());
      if (known->second != input.get()) known->second = nullptr;
    }
  }
  for (const auto& [tensor, input] : inputs_) {
    DimList dims = *input->declared_shape();
    bool any = false;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (dims[i].has_value() || !dims[i].param().empty()) continue;
      const std::string name = std::string(input->name()) + "_d" + std::to_string(i);
      any = by_name_.emplace(name, input).second;
      if (any) dims[i] = std::string_view(name);
    }
    if (any) named_.emplace(tensor, std::move(dims));
  }
}

Tensor* OpenInputs::set(const RequiredSize& required) {
  const auto shape = required.tensor->shape();
  if (!shape || required.axis >= shape->size()) return nullptr;
  const Dim open = (*shape)[required.axis];
  const auto own = inputs_.find(required.tensor);
  Tensor* input = own == inputs_.end() ? nullptr : own->second;
  if (input == nullptr) {
    const auto named = by_name_.find(open.param());
    input = named == by_name_.end() ? nullptr : named->second;
  }
  if (input == nullptr) return nullptr;
  DimList dims = *input->declared_shape();
  const auto lent = named_.find(input);
  bool changed = false;
  for (size_t i = 0; i < dims.size(); ++i) {
    const Dim& dim = lent == named_.end() ? dims[i] : lent->second[i];
    const bool is_same = open.param().empty() ? i == required.axis : dim == open;
    if (!is_same || dims[i].has_value()) continue;
    dims[i] = required.size;
    changed = true;
  }
  if (!changed) return nullptr;
  input->set_shape(std::move(dims));
  return input;
}

}  // namespace graphsurgeon
