#include "polygraphy/diagnosis/sensitivity/models/expert_weights.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/arrays/convert.h"
#include "base/arrays/packing.h"
#include "graphsurgeon/ir/int_attribute.h"
#include "graphsurgeon/ir/node_inputs.h"
#include "graphsurgeon/ir/tensor.h"

namespace polygraphy {
namespace {

using graphsurgeon::Node;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// Slots of one part in both operators.
struct Slots {
  size_t moe, moe_bias;
  size_t values, scales, bias, zeros;  // of QMoE
  std::string_view bits;               // its attribute, if not that of all parts
};
constexpr Slots kSlots[kExpertParts] = {{2, 3, 2, 3, 4, 11, "fc1_expert_weight_bits"},
                                        {4, 5, 5, 6, 7, 12, "fc2_expert_weight_bits"},
                                        {6, 7, 8, 9, 10, 13, "fc3_expert_weight_bits"}};
constexpr size_t kRouterWeights = 14;

// Attributes that only a QMoE has.
constexpr std::string_view kOfIntegers[] = {"expert_weight_bits",
                                            "fc1_expert_weight_bits",
                                            "fc2_expert_weight_bits",
                                            "fc3_expert_weight_bits",
                                            "block_size",
                                            "quant_type",
                                            "weights_prepacked",
                                            "accuracy_level"};

bool is_of_microsoft(const Node& node, std::string_view op) {
  return node.op() == op && node.domain() == "com.microsoft";
}

// -1 lets the engine choose, which takes plain values on the CPU.
bool is_plain(const Node& node) {
  const auto* type = node.attribute("quant_type");
  const bool integers =
      !type || (type->type == graphsurgeon::AttributeType::kString && type->as_string() == "int");
  return integers && graphsurgeon::int_attribute(node, "weights_prepacked", -1) <= 0;
}

// From rows of `row` numbers, each of which begins a byte (of 4 bits the low ones first), to one
// byte for each number.
Array one_by_one(const Array& stored, int64_t row, int64_t bits) {
  if (bits == 8) return stored;
  const int64_t bytes = (row + 1) / 2, rows = stored.size() / bytes;
  Array numbers = Array::uninitialized(DataType::kUint8, {rows, row});
  auto* out = reinterpret_cast<uint8_t*>(numbers.mutable_data());
  const auto from = stored.as<uint8_t>();
  for (int64_t i = 0; i < rows * row; ++i) {
    const uint8_t byte = from[static_cast<size_t>(i / row * bytes + i % row / 2)];
    out[i] = i % row % 2 == 0 ? byte & 15 : byte >> 4;
  }
  return numbers;
}

Array as_type(const Array& numbers, int64_t bits, Shape shape) {
  const Array shaped = numbers.reshaped(std::move(shape));
  return bits == 8 ? shaped : pack(shaped, DataType::kUint4);
}

// nullopt: not as many as there are scales.
std::optional<Array> zero_points(const Node& node, size_t slot, const Shape& scales, bool blocked,
                                 int64_t bits) {
  if (!input_at(node, slot)) {
    Array middle = Array::uninitialized(DataType::kUint8, scales);
    std::memset(middle.mutable_data(), 1 << (bits - 1), static_cast<size_t>(middle.size()));
    return as_type(middle, bits, scales);
  }
  const Tensor* zero = constant_at(node, slot);
  if (!zero || zero->dtype() != DataType::kUint8) return std::nullopt;
  const int64_t row = blocked ? scales[2] : scales[1];
  Shape stored = blocked ? scales : Shape{scales[0], scales[1]};
  stored.back() = (row * bits + 7) / 8;
  if (zero->payload()->shape() != stored) return std::nullopt;
  return as_type(one_by_one(zero->values().contiguous_aligned(), row, bits), bits, scales);
}

}  // namespace

bool has_experts(const Node& node) {
  return is_of_microsoft(node, "MoE");
}

bool has_quantized_experts(const Node& node) {
  return is_of_microsoft(node, "QMoE");
}

size_t expert_slot(size_t part) {
  return kSlots[part - 1].moe;
}

const Tensor* stored_experts(const Node& qmoe, size_t part) {
  return constant_at(qmoe, kSlots[part - 1].values);
}

std::optional<QuantizedWeight> quantized_experts(const Node& qmoe, size_t part) {
  const Slots& slots = kSlots[part - 1];
  const Tensor *stored = stored_experts(qmoe, part), *scale = constant_at(qmoe, slots.scales);
  if (!stored || !scale || !is_plain(qmoe)) return std::nullopt;
  const int64_t bits = graphsurgeon::int_attribute(
      qmoe, slots.bits, graphsurgeon::int_attribute(qmoe, "expert_weight_bits", 4));
  if ((bits != 4 && bits != 8) || stored->dtype() != DataType::kUint8 ||
      !is_floating(scale->dtype()))
    return std::nullopt;
  Shape shape = stored->payload()->shape();
  if (shape.size() != 3 || element_count(shape) == 0) return std::nullopt;
  shape[2] *= 8 / bits;
  const int64_t given = graphsurgeon::int_attribute(qmoe, "block_size", 0);
  const bool blocked = given > 0;
  const int64_t block = blocked ? given : shape[2];
  if (shape[2] % block != 0) return std::nullopt;
  const Shape scales = {shape[0], shape[1], shape[2] / block};
  const Shape& written = scale->payload()->shape();
  if (written != scales && (blocked || written != Shape{shape[0], shape[1]})) return std::nullopt;
  auto zeros = zero_points(qmoe, slots.zeros, scales, blocked, bits);
  if (!zeros) return std::nullopt;
  const Array values = one_by_one(stored->values().contiguous_aligned(), shape[2], bits);
  return QuantizedWeight{
      .values = as_type(values, bits, shape),
      .scales = convert(scale->values(), DataType::kFloat32).contiguous_aligned().reshaped(scales),
      .zero_points = std::move(*zeros),
      .axis = 2,
      .block = block};
}

bool becomes_moe(Node& qmoe, const TensorRef (&weights)[kExpertParts]) {
  if (qmoe.inputs().size() < 2 || input_at(qmoe, kRouterWeights)) return false;
  const std::vector<TensorRef> before = qmoe.inputs().snapshot();
  std::vector<TensorRef> inputs = {before[0], before[1]};
  for (size_t part = 0; part < kExpertParts; ++part) {
    if (!weights[part] && input_at(qmoe, kSlots[part].values)) return false;
    if (!weights[part]) continue;
    while (inputs.size() <= kSlots[part].moe_bias) inputs.push_back(Tensor::empty(qmoe.store()));
    inputs[kSlots[part].moe] = weights[part];
    if (input_at(qmoe, kSlots[part].bias))
      inputs[kSlots[part].moe_bias] = before[kSlots[part].bias];
  }
  qmoe.set_op("MoE");
  qmoe.inputs().assign(std::move(inputs));
  for (const std::string_view name : kOfIntegers) qmoe.remove_attribute(name);
  return true;
}

}  // namespace polygraphy
