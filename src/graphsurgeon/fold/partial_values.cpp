#include "graphsurgeon/fold/partial_values.h"

#include <algorithm>
#include <limits>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/ir/domain.h"

namespace graphsurgeon {

namespace {

bool is_followed(DataType type) {
  return type == DataType::kInt64 || type == DataType::kInt32 || type == DataType::kBool;
}

// Only the standard's dimensions have names, and they are not negative.
bool is_dimension(const Dim& d) {
  return !d.has_value() && !d.param().empty();
}

Dim added(const Dim& a, const Dim& b) {
  if (a.has_value() && b.has_value()) {
    int64_t sum = 0;
    return __builtin_add_overflow(a.value(), b.value(), &sum) ? Dim() : Dim(sum);
  }
  if (a.has_value() && a.value() == 0) return b;
  if (b.has_value() && b.value() == 0) return a;
  return {};
}

Dim subtracted(const Dim& a, const Dim& b) {
  if (a.has_value() && b.has_value()) {
    int64_t rest = 0;
    return __builtin_sub_overflow(a.value(), b.value(), &rest) ? Dim() : Dim(rest);
  }
  return b.has_value() && b.value() == 0 ? a : Dim();
}

Dim multiplied(const Dim& a, const Dim& b) {
  if (a.has_value() && b.has_value()) {
    int64_t product = 0;
    return __builtin_mul_overflow(a.value(), b.value(), &product) ? Dim() : Dim(product);
  }
  for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
    if (!one.has_value()) continue;
    if (one.value() == 0) return one;
    if (one.value() == 1) return other;
  }
  return {};
}

Dim divided(const Dim& a, const Dim& b) {
  if (!b.has_value() || b.value() == 0) return {};
  if (b.value() == 1) return a;
  if (!a.has_value()) return {};
  if (b.value() == -1 && a.value() == std::numeric_limits<int64_t>::min()) return {};
  return a.value() / b.value();
}

Dim remainder(const Dim& a, const Dim& b, bool fmod) {
  if (!b.has_value() || b.value() == 0) return {};
  if (b.value() == 1 || b.value() == -1) return int64_t{0};
  if (!a.has_value()) return {};
  const int64_t rest = a.value() % b.value();
  return !fmod && rest != 0 && ((rest < 0) != (b.value() < 0)) ? rest + b.value() : rest;
}

// -1: unknown, else whether the comparison holds.
Dim compared(std::string_view op, const Dim& a, const Dim& b) {
  if (a.has_value() && b.has_value()) {
    const int64_t x = a.value();
    const int64_t y = b.value();
    const bool holds = op == "Equal"            ? x == y
                       : op == "Greater"        ? x > y
                       : op == "GreaterOrEqual" ? x >= y
                       : op == "Less"           ? x < y
                                                : x <= y;
    return int64_t{holds};
  }
  // The same dimension on both sides; a dimension against a negative number.
  if (is_dimension(a) && a == b) {
    return int64_t{op == "Equal" || op == "GreaterOrEqual" || op == "LessOrEqual"};
  }
  if (is_dimension(a) && b.has_value() && b.value() < 0) {
    return int64_t{op == "Greater" || op == "GreaterOrEqual"};
  }
  if (is_dimension(b) && a.has_value() && a.value() < 0) {
    return int64_t{op == "Less" || op == "LessOrEqual"};
  }
  return {};
}

Dim combined(const Node& node, const Dim& a, const Dim& b) {
  const std::string_view op = node.op();
  if (op == "Add") return added(a, b);
  if (op == "Sub") return subtracted(a, b);
  if (op == "Mul") return multiplied(a, b);
  if (op == "Div") return divided(a, b);
  if (op == "Mod") return remainder(a, b, int_attribute(node, "fmod", 0) != 0);
  if (op == "And" || op == "Or") {
    const int64_t decisive = op == "And" ? 0 : 1;
    for (const Dim* d : {&a, &b}) {
      if (d->has_value() && d->value() == decisive) return decisive;
    }
    return a.has_value() && b.has_value() ? Dim(1 - decisive) : Dim();
  }
  if (op == "Min" || op == "Max") {
    if (a.has_value() && b.has_value()) {
      return op == "Min" ? std::min(a.value(), b.value()) : std::max(a.value(), b.value());
    }
    if (a == b && is_dimension(a)) return a;
    // max(dimension, 0) is the dimension.
    for (const auto& [d, n] : {std::pair(a, b), std::pair(b, a)}) {
      if (is_dimension(d) && n.has_value() && n.value() <= 0) return op == "Max" ? d : n;
    }
    return {};
  }
  return compared(op, a, b);
}

using Inputs = std::vector<PartialValues>;

// Scalars and vectors of one element repeat.
const Dim& element(const PartialValues& values, size_t i) {
  return values.elements[values.elements.size() == 1 ? 0 : i];
}

std::optional<PartialValues> shaped_like_all(const Inputs& inputs) {
  PartialValues result;
  size_t count = 1;
  for (const PartialValues& in : inputs) {
    result.rank = std::max(result.rank, in.rank);
    if (in.elements.size() == 1) continue;
    if (count != 1 && count != in.elements.size()) return std::nullopt;
    count = in.elements.size();
  }
  result.elements.resize(count);
  return result;
}

std::optional<PartialValues> elementwise(const Node& node, const Inputs& inputs) {
  auto result = shaped_like_all(inputs);
  if (!result) return std::nullopt;
  for (size_t i = 0; i < result->elements.size(); ++i) {
    Dim& out = result->elements[i];
    if (node.op() == "Where") {
      if (inputs.size() != 3) return std::nullopt;
      const Dim& condition = element(inputs[0], i);
      const Dim& yes = element(inputs[1], i);
      const Dim& no = element(inputs[2], i);
      if (condition.has_value()) {
        out = condition.value() != 0 ? yes : no;
      } else if (yes == no && (yes.has_value() || is_dimension(yes))) {
        out = yes;
      }
      continue;
    }
    out = element(inputs[0], i);
    for (size_t k = 1; k < inputs.size(); ++k) out = combined(node, out, element(inputs[k], i));
  }
  return result;
}

// The node's output as declared or inferred, when it is a scalar or vector.
std::optional<size_t> rank_of_result(const Node& node) {
  const auto shape = node.outputs()[0]->shape();
  if (!shape || shape->size() > 1) return std::nullopt;
  return shape->size();
}

// The dimensions that the Shape node behind a tensor selects, if their number is known; null if no
// such node produces it. This works without a declared or inferred type or shape of the tensor.
std::optional<DimList> dimensions_taken(const Tensor& tensor) {
  const Node* shape_node = tensor.producer();
  if (shape_node == nullptr || shape_node->op() != "Shape" ||
      !is_default_domain(shape_node->domain())) {
    return std::nullopt;
  }
  const Tensor* measured = input_at(*shape_node, 0);
  const std::optional<DimList> dims = measured ? measured->shape() : std::nullopt;
  if (!dims) return std::nullopt;
  const auto rank = static_cast<int64_t>(dims->size());
  const auto place = [&](std::string_view attribute, int64_t otherwise) {
    const int64_t at = int_attribute(*shape_node, attribute, otherwise);
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const int64_t start = place("start", 0);
  const int64_t end = std::max(start, place("end", rank));
  return DimList(dims->begin() + start, dims->begin() + end);
}

}  // namespace

std::optional<PartialValues> partial_input(const Node& node, size_t i, FoldContext& context) {
  const Tensor* tensor = input_at(node, i);
  if (tensor == nullptr) return std::nullopt;
  const auto shape = tensor->shape();
  // Inference knows more, such as names of open dimensions; without it, only the node does.
  if (!shape || (!context.value(*tensor) && context.elements(*tensor) == nullptr)) {
    if (auto dims = dimensions_taken(*tensor)) return PartialValues{1, std::move(*dims)};
  }
  if (!is_followed(tensor->dtype())) return std::nullopt;
  if (!shape || shape->size() > 1) return std::nullopt;
  PartialValues result{shape->size(), {}};
  if (const PayloadPtr values = context.value(*tensor)) {
    if (values->size() > kMaxPartialValues) return std::nullopt;
    const Array array = values->load(tensor->name());
    for (int64_t k = 0; k < array.size(); ++k) result.elements.emplace_back(array.get_int64(k));
    return result;
  }
  if (const DimList* known = context.elements(*tensor)) {
    result.elements = *known;
  } else if (result.rank == 1 && (*shape)[0].is_static() &&
             (*shape)[0].value() <= kMaxPartialValues) {
    result.elements.resize(static_cast<size_t>((*shape)[0].value()));
  } else if (result.rank == 0) {
    result.elements.resize(1);
  } else {
    return std::nullopt;
  }
  if (result.rank == 0 && result.elements.size() != 1) return std::nullopt;
  return result;
}

std::optional<PartialValues> partial_result(const Node& node, FoldContext& context) {
  if (node.inputs().empty() || node.outputs().size() != 1) return std::nullopt;
  const std::string_view op = node.op();
  if (op == "Cast") {
    const auto to = static_cast<DataType>(int_attribute(node, "to", 0));
    auto values = partial_input(node, 0, context);
    if (!values || !is_followed(to)) return std::nullopt;
    for (Dim& d : values->elements) {
      if (to == DataType::kBool) {
        d = d.has_value() ? Dim(int64_t{d.value() != 0}) : Dim();
      } else if (to == DataType::kInt32 && d.has_value() &&
                 d.value() != static_cast<int32_t>(d.value())) {
        d = Dim();  // values out of range wrap around; dimensions are taken to fit
      }
    }
    return values;
  }
  if (op == "Identity" || op == "Squeeze" || op == "Unsqueeze" || op == "Reshape") {
    auto values = partial_input(node, 0, context);
    const auto rank = rank_of_result(node);
    if (!values || !rank || (*rank == 0 && values->elements.size() != 1)) return std::nullopt;
    values->rank = *rank;
    return values;
  }
  Inputs inputs;
  bool is_anything_known = false;
  for (size_t i = 0; i < node.inputs().size(); ++i) {
    auto values = partial_input(node, i, context);
    if (!values) return std::nullopt;
    for (const Dim& d : values->elements) {
      is_anything_known = is_anything_known || d.has_value() || is_dimension(d);
    }
    inputs.push_back(std::move(*values));
  }
  if (!is_anything_known) return std::nullopt;
  if (op == "Concat") {
    PartialValues result{1, {}};
    for (PartialValues& in : inputs) {
      if (in.rank != 1) return std::nullopt;
      std::move(in.elements.begin(), in.elements.end(), std::back_inserter(result.elements));
    }
    if (result.elements.size() > kMaxPartialValues) return std::nullopt;
    return result;
  }
  if (op == "Not") {
    for (Dim& d : inputs[0].elements) d = d.has_value() ? Dim(int64_t{d.value() == 0}) : Dim();
    return inputs[0];
  }
  return elementwise(node, inputs);
}

bool settle(Node& node, PartialValues values, FoldContext& context) {
  Tensor* output = node.outputs()[0];
  if (output->dtype() == DataType::kInt32) {
    for (Dim& d : values.elements) {  // larger values wrap around
      if (d.has_value() && d.value() != static_cast<int32_t>(d.value())) d = Dim();
    }
  }
  const bool complete = std::all_of(values.elements.begin(), values.elements.end(),
                                    [](const Dim& d) { return d.has_value(); });
  const bool is_known = std::any_of(values.elements.begin(), values.elements.end(),
                                    [](const Dim& d) { return d.has_value() || is_dimension(d); });
  if (!complete) {
    if (is_known) context.set_elements(*output, values.elements);
    return false;
  }
  DataType type = output->dtype();
  // Operators that select dimensions of a shape keep its type.
  const bool picks = node.op() == "Gather" || node.op() == "Slice";
  if (type == DataType::kUndefined && picks && dimensions_taken(*node.inputs()[0])) {
    type = DataType::kInt64;
  }
  if (!is_followed(type) || node.outputs().size() != 1) return false;
  Shape shape;
  if (values.rank == 1) shape.push_back(static_cast<int64_t>(values.elements.size()));
  Array array = Array::zeros(type, shape);
  for (size_t i = 0; i < values.elements.size(); ++i) {
    const int64_t value = values.elements[i].value();
    if (type == DataType::kInt64) {
      reinterpret_cast<int64_t*>(array.mutable_data())[i] = value;
    } else if (type == DataType::kInt32) {
      reinterpret_cast<int32_t*>(array.mutable_data())[i] = static_cast<int32_t>(value);
    } else {
      array.mutable_data()[i] = static_cast<std::byte>(value != 0 ? 1 : 0);
    }
  }
  return context.produce({owned_payload(std::move(array))});
}

}  // namespace graphsurgeon
