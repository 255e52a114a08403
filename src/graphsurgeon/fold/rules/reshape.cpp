// The same elements in the same order under another shape, of any size: the bytes are shared.

#include <algorithm>
#include <string_view>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/fold/rule.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/ir/payloads/payload.h"
#include "graphsurgeon/ir/payloads/splat_payload.h"

namespace graphsurgeon {

namespace {

// `shape` has as many elements. Bytes in the model's file or in another stay there and are shared
// (those in a typed field of TensorProto are decoded: O(bytes)). Null where it would take memory: a
// large sparse payload. Throws as Payload::load().
PayloadPtr reshaped_payload(const PayloadPtr& values, const Shape& shape, std::string_view tensor) {
  if (values->shape() == shape) return values;
  switch (values->kind()) {
    case Payload::Kind::kSplat:
      return splat_payload(static_cast<const SplatPayload&>(*values).value(), shape);
    case Payload::Kind::kExternal: {
      const auto& external = static_cast<const ExternalPayload&>(*values);
      std::string problem;
      if (!external.fields().empty()) decode_external(external.fields(), &problem);
      return std::make_shared<ExternalPayload>(values->dtype(), shape, *external.external(),
                                               external.folder(), std::string_view(), problem);
    }
    case Payload::Kind::kSparse:
      if (values->nbytes() > kSmallBytes) return nullptr;
      break;
    default:
      break;
  }
  const Array array = values->load(tensor);
  return owned_payload((array.contiguous() ? array : array.contiguous_aligned()).reshaped(shape));
}

constexpr std::string_view kOps[] = {"Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze"};

std::optional<Shape> flattened(const Node& node, const Shape& from) {
  const auto rank = static_cast<int64_t>(from.size());
  int64_t axis = int_attribute(node, "axis", 1);
  if (axis < -rank || axis > rank) return std::nullopt;
  if (axis < 0) axis += rank;
  const auto middle = from.begin() + static_cast<ptrdiff_t>(axis);
  return Shape{polygraphy::element_count(Shape(from.begin(), middle)),
               polygraphy::element_count(Shape(middle, from.end()))};
}

std::optional<Shape> reshaped(const Node& node, const Shape& from, FoldContext& context) {
  bool missing = false;
  auto to = int_parameter(node, "shape", 1, context, missing);
  if (!to) return std::nullopt;
  const bool zero_is_zero = int_attribute(node, "allowzero", 0) != 0;
  std::optional<size_t> open;
  for (size_t i = 0; i < to->size(); ++i) {
    int64_t& dim = (*to)[i];
    if (dim == 0 && !zero_is_zero) {
      if (i >= from.size()) return std::nullopt;
      dim = from[i];
    } else if (dim == -1) {
      if (open) return std::nullopt;
      open = i;
      dim = 1;
    }
    if (dim < 0) return std::nullopt;
  }
  const int64_t count = polygraphy::element_count(from);
  const int64_t told = polygraphy::element_count(*to);
  if (open) {
    if (told == 0 || count % told != 0) return std::nullopt;
    (*to)[*open] = count / told;
  }
  if (polygraphy::element_count(*to) != count) return std::nullopt;
  return to;
}

std::optional<Shape> squeezed(const Node& node, const Shape& from, FoldContext& context) {
  bool missing = false;
  const auto axes = int_parameter(node, "axes", 1, context, missing);
  if (!axes && !missing) return std::nullopt;
  std::vector<bool> drop(from.size(), false);
  if (axes) {
    for (const int64_t value : *axes) {
      const auto axis = axis_of(value, from.size());
      if (!axis || from[*axis] != 1) return std::nullopt;
      drop[*axis] = true;
    }
  } else {
    for (size_t i = 0; i < from.size(); ++i) drop[i] = from[i] == 1;
  }
  Shape to;
  for (size_t i = 0; i < from.size(); ++i) {
    if (!drop[i]) to.push_back(from[i]);
  }
  return to;
}

std::optional<Shape> unsqueezed(const Node& node, const Shape& from, FoldContext& context) {
  bool missing = false;
  const auto axes = int_parameter(node, "axes", 1, context, missing);
  if (!axes) return std::nullopt;
  std::vector<bool> is_new(from.size() + axes->size(), false);
  for (const int64_t value : *axes) {
    const auto axis = axis_of(value, is_new.size());
    if (!axis || is_new[*axis]) return std::nullopt;
    is_new[*axis] = true;
  }
  Shape to;
  auto next = from.begin();
  for (const bool one : is_new) to.push_back(one ? 1 : *next++);
  return to;
}

bool apply_rule(Node& node, FoldContext& context) {
  const Tensor* input = input_at(node, 0);
  const PayloadPtr values = input ? context.value(*input) : nullptr;
  if (!values) return false;
  const Shape& from = values->shape();
  const std::string_view op = node.op();
  const auto to = op == "Identity"  ? from
                  : op == "Flatten" ? flattened(node, from)
                  : op == "Reshape" ? reshaped(node, from, context)
                  : op == "Squeeze" ? squeezed(node, from, context)
                                    : unsqueezed(node, from, context);
  if (!to) return false;
  PayloadPtr result = reshaped_payload(values, *to, input->name());
  return result && context.produce({std::move(result)});
}

}  // namespace

extern constinit const FoldRule fold_rule_reshape = {
    .name = "reshape",
    .summary = "constants with another shape and shared bytes",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
