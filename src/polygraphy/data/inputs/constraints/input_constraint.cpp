#include "polygraphy/data/inputs/constraints/input_constraint.h"

#include <algorithm>
#include <cmath>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/ir/domain.h"

namespace polygraphy {
namespace {

using graphsurgeon::Tensor;

constexpr int64_t kMostElements = 64 << 10;

std::optional<Array> small_numbers(const Tensor& tensor) {
  const auto& payload = tensor.payload();
  if (!payload || payload->size() > kMostElements || payload->dtype() == DataType::kString ||
      payload->dtype() == DataType::kComplex64 || payload->dtype() == DataType::kComplex128 ||
      !is_known(payload->dtype())) {
    return std::nullopt;
  }
  return payload->load(tensor.name());
}

}  // namespace

std::optional<std::vector<int64_t>> static_shape(const Tensor* tensor) {
  if (tensor == nullptr) return std::nullopt;
  const auto dims = tensor->shape();
  if (!dims) return std::nullopt;
  std::vector<int64_t> shape;
  for (const auto& dim : *dims) {
    if (!dim.is_static()) return std::nullopt;
    shape.push_back(dim.value());
  }
  return shape;
}

std::optional<std::vector<double>> constant_values(const Tensor& tensor) {
  const auto array = small_numbers(tensor);
  if (!array) return std::nullopt;
  std::vector<double> values;
  for (int64_t i = 0; i < array->size(); ++i) values.push_back(array->get_double(i));
  return values;
}

std::optional<std::vector<int64_t>> constant_integers(const Tensor& tensor) {
  const auto array = small_numbers(tensor);
  if (!array) return std::nullopt;
  const bool exact = is_integral(array->dtype()) || array->dtype() == DataType::kBool;
  std::vector<int64_t> values;
  for (int64_t i = 0; i < array->size(); ++i) {
    // A fraction has no place in an integer; beyond these bounds, conversion is not defined.
    const double value = exact ? 0 : array->get_double(i);
    if (value != std::floor(value) || !(std::abs(value) < 0x1p63)) return std::nullopt;
    values.push_back(exact ? array->get_int64(i) : static_cast<int64_t>(value));
  }
  return values;
}

ConstraintTable::ConstraintTable() {
  for (const InputConstraint* constraint : input_constraints()) {
    for (const std::string_view op : constraint->ops) {
      constraints_[std::string(constraint->domain) + ":" + std::string(op)].push_back(constraint);
    }
  }
}

void ConstraintTable::add_constraints(ConstraintContext& context) const {
  const graphsurgeon::Node& node = context.node();
  const auto found = constraints_.find(std::string(graphsurgeon::normalized_domain(node.domain())) +
                                       ":" + std::string(node.op()));
  if (found == constraints_.end()) return;
  for (const InputConstraint* constraint : found->second) constraint->add(context);
}

bool ConstraintContext::has(size_t i) const {
  return graphsurgeon::input_at(node(), i) != nullptr;
}

std::string ConstraintContext::name_of(size_t i) const {
  const Tensor* tensor = graphsurgeon::input_at(node(), i);
  return "'" + std::string(tensor == nullptr ? "" : tensor->name()) + "'";
}

std::optional<std::vector<int64_t>> ConstraintContext::shape(size_t i) const {
  return static_shape(graphsurgeon::input_at(node(), i));
}

std::optional<int64_t> ConstraintContext::rank(size_t i) const {
  const Tensor* tensor = graphsurgeon::input_at(node(), i);
  if (tensor == nullptr) return std::nullopt;
  const auto dims = tensor->shape();
  if (!dims) return std::nullopt;
  return static_cast<int64_t>(dims->size());
}

std::optional<int64_t> ConstraintContext::dim(size_t i, int64_t axis) const {
  const Tensor* tensor = graphsurgeon::input_at(node(), i);
  if (tensor == nullptr) return std::nullopt;
  const auto dims = tensor->shape();
  if (!dims) return std::nullopt;
  const auto place = graphsurgeon::axis_of(axis, dims->size());
  if (!place || !(*dims)[*place].is_static()) return std::nullopt;
  return (*dims)[*place].value();
}

std::optional<int64_t> ConstraintContext::elements(size_t i) const {
  const auto dims = shape(i);
  if (!dims) return std::nullopt;
  int64_t count = 1;
  for (const int64_t dim : *dims) count *= dim;
  return count;
}

std::optional<std::vector<double>> ConstraintContext::values(size_t i) const {
  const Tensor* tensor = graphsurgeon::input_at(node(), i);
  if (tensor == nullptr) return std::nullopt;
  return constant_values(*tensor);
}

std::optional<int64_t> ConstraintContext::scalar(size_t i) const {
  const Tensor* tensor = graphsurgeon::input_at(node(), i);
  const auto all = tensor ? constant_integers(*tensor) : std::nullopt;
  if (!all || all->size() != 1) return std::nullopt;
  return all->front();
}

int64_t ConstraintContext::attribute(std::string_view name, int64_t otherwise) const {
  return graphsurgeon::int_attribute(node(), name, otherwise);
}

std::string ConstraintContext::text_attribute(std::string_view name,
                                              std::string_view otherwise) const {
  const auto* attribute = node().attribute(name);
  if (attribute == nullptr || !std::holds_alternative<std::string_view>(attribute->value)) {
    return std::string(otherwise);
  }
  return std::string(attribute->as_string());
}

void ConstraintContext::constrain_to_indices(size_t i, size_t data, int64_t axis, bool distinct) {
  if (const auto known = values(i); known && !known->empty()) {
    const auto [low, high] = std::minmax_element(known->begin(), known->end());
    constrain_size(data, axis, static_cast<int64_t>(std::max(*high + 1, -*low)),
                   "constant indices");
    return;
  }
  // Of an axis of unknown length, the first element is there unless the axis is empty.
  const int64_t length = dim(data, axis).value_or(1);
  if (length < 1) return;
  ValueRange range = ValueRange::between(0, static_cast<double>(length - 1));
  range.whole = true;
  range.distinct = distinct;
  constrain(i, range,
            "indices into axis " + std::to_string(axis) + " of " + name_of(data) + " (" +
                std::to_string(length) + ")");
}

void ConstraintContext::constrain_to_range(size_t i, int64_t low, int64_t high,
                                           const std::string& role) {
  ValueRange range = ValueRange::between(static_cast<double>(low), static_cast<double>(high));
  range.whole = true;
  constrain(i, std::move(range), role);
}

void ConstraintContext::constrain_to_values(size_t i, const std::vector<int64_t>& values,
                                            const std::string& role) {
  constrain(i, ValueRange::exactly(values), role);
}

}  // namespace polygraphy
