#include "graphsurgeon/sizes/selecting_values.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "graphsurgeon/sizes/slice_range.h"

namespace graphsurgeon {

namespace {

using Shape = std::vector<int64_t>;

// The elements, in C order of `shape`, each of which is the one of `from` at the sum of the offsets
// of its indices: offsets[axis][index].
KnownValues picked(const KnownValues& from, Shape shape,
                   const std::vector<std::vector<size_t>>& offsets) {
  KnownValues result{std::move(shape), {}};
  const auto count = static_cast<size_t>(element_count(result.shape));
  result.elements.reserve(count);
  for (size_t flat = 0; flat < count; ++flat) {
    size_t rest = flat, at = 0;
    for (size_t axis = result.shape.size(); axis-- > 0;) {
      const auto size = static_cast<size_t>(result.shape[axis]);
      at += offsets[axis][rest % size];
      rest /= size;
    }
    result.elements.push_back(from.elements[at]);
  }
  return result;
}

std::vector<size_t> strides_of(const Shape& shape) {
  std::vector<size_t> strides(shape.size());
  size_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= static_cast<size_t>(shape[axis]);
  }
  return strides;
}

// Of all indices of an axis.
std::vector<size_t> all_offsets(int64_t size, size_t stride) {
  std::vector<size_t> offsets(static_cast<size_t>(size));
  for (size_t i = 0; i < offsets.size(); ++i) offsets[i] = i * stride;
  return offsets;
}

std::optional<KnownValues> gather(ValueNode& node, SizeAlgebra&) {
  const auto data = node.values(0);
  const auto indices = node.numbers(1);
  const auto index_shape = static_shape(node.shape(1));
  if (!data || !indices || !index_shape) return std::nullopt;
  const auto axis = axis_of(node.integer("axis", 0), data->shape.size());
  if (!axis) return std::nullopt;
  const std::vector<size_t> strides = strides_of(data->shape);
  const int64_t limit = data->shape[*axis];
  std::vector<size_t> chosen;
  for (const int64_t index : *indices) {
    if (index < -limit || index >= limit) return std::nullopt;
    chosen.push_back(static_cast<size_t>(index < 0 ? index + limit : index) * strides[*axis]);
  }
  // Between, the indices are one axis.
  Shape shape;
  std::vector<std::vector<size_t>> offsets;
  for (size_t d = 0; d < data->shape.size(); ++d) {
    shape.push_back(d == *axis ? static_cast<int64_t>(chosen.size()) : data->shape[d]);
    offsets.push_back(d == *axis ? chosen : all_offsets(data->shape[d], strides[d]));
  }
  if (element_count(shape) > kMostElements) return std::nullopt;
  KnownValues result = picked(*data, shape, offsets);
  const auto at = result.shape.begin() + static_cast<ptrdiff_t>(*axis);
  result.shape.insert(result.shape.erase(at), index_shape->begin(), index_shape->end());
  return result;
}

// A Slice with its parameters as attributes (before version 10) or inputs.
std::optional<std::vector<SliceParameters>> parameters_of_slice(ValueNode& node, size_t rank) {
  if (const auto starts = node.integers("starts")) {
    const auto ends = node.integers("ends");
    return ends ? slice_parameters(rank, *starts, *ends, node.integers("axes"), std::nullopt)
                : std::nullopt;
  }
  const auto starts = node.numbers(1), ends = node.numbers(2);
  auto axes = node.numbers(3), steps = node.numbers(4);
  const bool are_known =
      starts && ends && (axes || !node.has_input(3)) && (steps || !node.has_input(4));
  return are_known ? slice_parameters(rank, *starts, *ends, std::move(axes), std::move(steps))
                   : std::nullopt;
}

std::optional<KnownValues> slice(ValueNode& node, SizeAlgebra&) {
  const auto data = node.values(0);
  if (!data) return std::nullopt;
  const auto parameters = parameters_of_slice(node, data->shape.size());
  if (!parameters) return std::nullopt;
  const std::vector<size_t> strides = strides_of(data->shape);
  Shape shape = data->shape;
  std::vector<std::vector<size_t>> offsets;
  for (size_t d = 0; d < shape.size(); ++d) offsets.push_back(all_offsets(shape[d], strides[d]));
  for (const SliceParameters& one : *parameters) {
    const SliceRange range = slice_range(one, data->shape[one.axis]);
    std::vector<size_t>& chosen = offsets[one.axis];
    chosen.clear();
    for (int64_t i = 0; i < range.count; ++i) {
      chosen.push_back(static_cast<size_t>(range.first + i * range.step) * strides[one.axis]);
    }
    shape[one.axis] = range.count;
  }
  return picked(*data, std::move(shape), offsets);
}

std::optional<KnownValues> transpose(ValueNode& node, SizeAlgebra&) {
  const auto data = node.values(0);
  if (!data) return std::nullopt;
  const size_t rank = data->shape.size();
  std::vector<int64_t> order(rank);
  for (size_t i = 0; i < rank; ++i) order[i] = static_cast<int64_t>(rank - 1 - i);
  if (const auto given = node.integers("perm")) order = *given;
  if (order.size() != rank) return std::nullopt;
  const std::vector<size_t> strides = strides_of(data->shape);
  Shape shape;
  std::vector<std::vector<size_t>> offsets;
  for (const int64_t each : order) {
    const auto axis = axis_of(each, rank);
    if (!axis) return std::nullopt;
    shape.push_back(data->shape[*axis]);
    offsets.push_back(all_offsets(data->shape[*axis], strides[*axis]));
  }
  // A broken order may name an axis twice.
  if (element_count(shape) != element_count(data->shape)) return std::nullopt;
  return picked(*data, std::move(shape), offsets);
}

std::optional<KnownValues> concat(ValueNode& node, SizeAlgebra&) {
  std::vector<KnownValues> parts;
  for (size_t i = 0; i < node.node().inputs().size(); ++i) {
    auto part = node.values(i);
    if (!part) return std::nullopt;
    parts.push_back(std::move(*part));
  }
  if (parts.empty()) return std::nullopt;
  KnownValues result{parts[0].shape, {}};
  const auto axis = axis_of(node.integer("axis", 0), result.shape.size());
  if (!axis) return std::nullopt;
  size_t blocks = 1;
  for (size_t d = 0; d < *axis; ++d) blocks *= static_cast<size_t>(result.shape[d]);
  result.shape[*axis] = 0;
  for (const KnownValues& part : parts) {
    if (part.shape.size() != result.shape.size()) return std::nullopt;
    for (size_t d = 0; d < part.shape.size(); ++d) {
      if (d != *axis && part.shape[d] != result.shape[d]) return std::nullopt;
    }
    result.shape[*axis] += part.shape[*axis];
  }
  for (size_t block = 0; block < blocks; ++block) {
    for (const KnownValues& part : parts) {
      const auto size = static_cast<ptrdiff_t>(part.elements.size() / blocks);
      const auto first = part.elements.begin() + static_cast<ptrdiff_t>(block) * size;
      result.elements.insert(result.elements.end(), first, first + size);
    }
  }
  return result;
}

// The same elements in the same order.
std::optional<KnownValues> reshape(ValueNode& node, SizeAlgebra&) {
  auto values = node.values(0);
  auto shape = static_shape(node.result_shape());
  if (!values || !shape || element_count(*shape) != static_cast<int64_t>(values->elements.size())) {
    return std::nullopt;
  }
  values->shape = std::move(*shape);
  return values;
}

std::optional<KnownValues> expand(ValueNode& node, SizeAlgebra&) {
  const auto values = node.values(0);
  const auto shape = static_shape(node.result_shape());
  if (!values || !shape || values->elements.size() != 1) return std::nullopt;
  return KnownValues{*shape,
                     DimList(static_cast<size_t>(element_count(*shape)), values->elements[0])};
}

using Row = OperatorRow<ValueFunction>;
constexpr std::array<Row, 10> kRows = {{{"Concat", concat},
                                        {"Expand", expand},
                                        {"Flatten", reshape},
                                        {"Gather", gather},
                                        {"Identity", reshape},
                                        {"Reshape", reshape},
                                        {"Slice", slice},
                                        {"Squeeze", reshape},
                                        {"Transpose", transpose},
                                        {"Unsqueeze", reshape}}};

}  // namespace

ValueFunction selecting_function(std::string_view op) {
  return function_of(kRows, op);
}

}  // namespace graphsurgeon
