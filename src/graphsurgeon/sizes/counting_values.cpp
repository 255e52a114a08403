#include "graphsurgeon/sizes/counting_values.h"

#include <algorithm>
#include <array>
#include <utility>

namespace graphsurgeon {

namespace {

std::optional<KnownValues> shape_of(ValueNode& node, SizeAlgebra& sizes) {
  const auto dims = node.shape(0);
  if (!dims) return std::nullopt;
  const auto rank = static_cast<int64_t>(dims->size());
  const auto place = [&](std::string_view attribute, int64_t otherwise) {
    const int64_t at = node.integer(attribute, otherwise);
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const int64_t start = place("start", 0);
  const int64_t end = std::max(start, place("end", rank));
  KnownValues result{{end - start}, DimList(dims->begin() + start, dims->begin() + end)};
  for (const Dim& dim : result.elements) sizes.note_size(dim);
  return result;
}

std::optional<KnownValues> size_of(ValueNode& node, SizeAlgebra& sizes) {
  const auto dims = node.shape(0);
  if (!dims) return std::nullopt;
  Dim size = 1;
  for (const Dim& dim : *dims) size = sizes.product(size, dim);
  sizes.note_size(size);
  return KnownValues{{}, {size}};
}

std::optional<KnownValues> range(ValueNode& node, SizeAlgebra& sizes) {
  const auto start = node.values(0), step = node.values(2);
  const auto shape = static_shape(node.result_shape());
  if (!start || !step || !shape || shape->size() != 1 || start->elements.size() != 1 ||
      step->elements.size() != 1) {
    return std::nullopt;
  }
  KnownValues result{*shape, {}};
  Dim next = start->elements[0];
  for (int64_t i = 0; i < (*shape)[0]; ++i) {
    result.elements.push_back(next);
    next = sizes.sum(next, step->elements[0]);
  }
  return result;
}

std::optional<KnownValues> constant_of_shape(ValueNode& node, SizeAlgebra&) {
  const auto shape = static_shape(node.result_shape());
  if (!shape) return std::nullopt;
  Dim repeated{int64_t{0}};
  if (const Attribute* attribute = node.attribute("value")) {
    const auto* tensor = std::get_if<TensorValue>(&attribute->value);
    if (tensor == nullptr || !tensor->values || tensor->values->size() != 1 ||
        !(polygraphy::is_integral(tensor->values->dtype()) ||
          tensor->values->dtype() == DataType::kBool)) {
      return std::nullopt;
    }
    repeated = tensor->values->load(tensor->name).get_int64(0);
  }
  return KnownValues{*shape, DimList(static_cast<size_t>(element_count(*shape)), repeated)};
}

// --- over axes

using Combination = Dim (SizeAlgebra::*)(const Dim& a, const Dim& b);

Combination combination_of(std::string_view op) {
  if (op == "ReduceSum") return &SizeAlgebra::sum;
  if (op == "ReduceProd") return &SizeAlgebra::product;
  if (op == "ReduceMin") return &SizeAlgebra::minimum;
  return &SizeAlgebra::maximum;
}

// The axes that the node reduces, as a mask; nullopt: unknown.
std::optional<std::vector<bool>> reduced_axes(ValueNode& node, size_t rank) {
  auto axes = node.integers("axes");
  if (!axes && node.has_input(1)) {
    axes = node.numbers(1);
    if (!axes) return std::nullopt;
  }
  if (!axes || axes->empty()) {
    const bool keeps_all = node.integer("noop_with_empty_axes", 0) != 0;
    return std::vector<bool>(rank, !keeps_all);
  }
  std::vector<bool> result(rank, false);
  for (const int64_t each : *axes) {
    const auto axis = axis_of(each, rank);
    if (!axis) return std::nullopt;
    result[*axis] = true;
  }
  return result;
}

std::optional<KnownValues> reduce(ValueNode& node, SizeAlgebra& sizes) {
  const auto values = node.values(0);
  if (!values || values->elements.empty()) return std::nullopt;
  const auto is_reduced = reduced_axes(node, values->shape.size());
  if (!is_reduced) return std::nullopt;
  const bool keeps = node.integer("keepdims", 1) != 0;
  const Combination combine = combination_of(node.node().op());
  KnownValues result;
  std::vector<size_t> strides(values->shape.size(), 0);  // in the result
  size_t count = 1;
  for (size_t d = values->shape.size(); d-- > 0;) {
    if ((*is_reduced)[d]) continue;
    strides[d] = count;
    count *= static_cast<size_t>(values->shape[d]);
  }
  for (size_t d = 0; d < values->shape.size(); ++d) {
    if (!(*is_reduced)[d]) result.shape.push_back(values->shape[d]);
    if ((*is_reduced)[d] && keeps) result.shape.push_back(1);
  }
  result.elements.resize(count);
  std::vector<bool> is_begun(count, false);
  for (size_t flat = 0; flat < values->elements.size(); ++flat) {
    size_t rest = flat, to = 0;
    for (size_t d = values->shape.size(); d-- > 0;) {
      const auto size = static_cast<size_t>(values->shape[d]);
      to += rest % size * strides[d];
      rest /= size;
    }
    Dim& out = result.elements[to];
    out = is_begun[to] ? (sizes.*combine)(out, values->elements[flat]) : values->elements[flat];
    is_begun[to] = true;
  }
  return result;
}

using Row = OperatorRow<ValueFunction>;
constexpr std::array<Row, 8> kRows = {{{"ConstantOfShape", constant_of_shape},
                                       {"Range", range},
                                       {"ReduceMax", reduce},
                                       {"ReduceMin", reduce},
                                       {"ReduceProd", reduce},
                                       {"ReduceSum", reduce},
                                       {"Shape", shape_of},
                                       {"Size", size_of}}};

}  // namespace

ValueFunction counting_function(std::string_view op) {
  return function_of(kRows, op);
}

}  // namespace graphsurgeon
