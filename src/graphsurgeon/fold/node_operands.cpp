#include "graphsurgeon/fold/node_operands.h"

#include <algorithm>
#include <utility>

#include "graphsurgeon/ir/payloads/splat_payload.h"
#include "graphsurgeon/sizes/broadcasting.h"

namespace graphsurgeon {

std::optional<std::vector<int64_t>> ints_attribute(const Node& node, std::string_view name) {
  const Attribute* attribute = node.attribute(name);
  const auto* value = attribute ? std::get_if<std::vector<int64_t>>(&attribute->value) : nullptr;
  if (value == nullptr) return std::nullopt;
  return *value;
}

bool is_movable(DataType type) {
  return polygraphy::bit_width(type) >= 8 && polygraphy::bit_width(type) % 8 == 0;
}

std::optional<Array> small_value(const Node& node, size_t i, FoldContext& context) {
  const Tensor* tensor = input_at(node, i);
  if (tensor == nullptr) return std::nullopt;
  const PayloadPtr payload = context.value(*tensor);
  if (!payload || !is_movable(payload->dtype()) || payload->nbytes() > kSmallBytes) {
    return std::nullopt;
  }
  return payload->load(tensor->name()).contiguous_aligned();
}

std::optional<std::vector<int64_t>> int_values(const Node& node, size_t i, FoldContext& context) {
  const Tensor* tensor = input_at(node, i);
  if (tensor == nullptr) return std::nullopt;
  const PayloadPtr payload = context.value(*tensor);
  if (!payload || payload->size() > kSmallBytes / 8 || payload->shape().size() > 1 ||
      (payload->dtype() != DataType::kInt64 && payload->dtype() != DataType::kInt32)) {
    return std::nullopt;
  }
  const Array array = payload->load(tensor->name());
  std::vector<int64_t> values(static_cast<size_t>(array.size()));
  for (size_t k = 0; k < values.size(); ++k) values[k] = array.get_int64(static_cast<int64_t>(k));
  return values;
}

std::optional<std::vector<int64_t>> int_parameter(const Node& node, std::string_view attribute,
                                                  size_t input, FoldContext& context,
                                                  bool& missing) {
  missing = false;
  if (auto values = ints_attribute(node, attribute)) return values;
  if (input_at(node, input) != nullptr) return int_values(node, input, context);
  missing = true;
  return std::nullopt;
}

bool repeats_one_value(const Payload& payload) {
  return payload.kind() == Payload::Kind::kSplat ||
         (payload.size() == 1 && is_movable(payload.dtype()));
}

Array repeated_value(const Payload& payload, std::string_view tensor) {
  if (payload.kind() == Payload::Kind::kSplat) {
    return static_cast<const SplatPayload&>(payload).value().contiguous_aligned().reshaped({});
  }
  return payload.load(tensor).contiguous_aligned().reshaped({});
}

PayloadPtr repeated(const Array& value, Shape shape) {
  Array scalar = value.contiguous_aligned().reshaped({});
  if (polygraphy::element_count(shape) == 1)
    return owned_payload(scalar.reshaped(std::move(shape)));
  return splat_payload(std::move(scalar), std::move(shape));
}

PayloadPtr Elementwise::result(Array computed) const {
  return is_repeated ? repeated(computed, shape) : owned_payload(std::move(computed));
}

std::optional<Elementwise> elementwise_inputs(const Node& node, FoldContext& context) {
  Elementwise result;
  std::vector<Shape> shapes;
  std::vector<PayloadPtr> payloads;
  bool all_repeated = true;
  for (const Tensor* input : node.inputs()) {
    if (input->is_empty()) return std::nullopt;
    PayloadPtr payload = context.value(*input);
    if (!payload || !is_movable(payload->dtype())) return std::nullopt;
    all_repeated = all_repeated && repeats_one_value(*payload);
    shapes.push_back(payload->shape());
    payloads.push_back(std::move(payload));
  }
  auto shape = broadcast_shape(shapes);
  if (!shape) return std::nullopt;
  result.shape = std::move(*shape);
  result.is_repeated = all_repeated;
  const int64_t count = polygraphy::element_count(result.shape);
  for (size_t i = 0; i < payloads.size(); ++i) {
    const std::string_view name = node.inputs()[i]->name();
    if (all_repeated) {
      result.values.push_back(repeated_value(*payloads[i], name));
      continue;
    }
    const int64_t width = polygraphy::bit_width(payloads[i]->dtype()) / 8;
    if (payloads[i]->nbytes() > kSmallBytes || count > kSmallBytes / width) return std::nullopt;
    result.values.push_back(payloads[i]->load(name).contiguous_aligned());
  }
  return result;
}

}  // namespace graphsurgeon
