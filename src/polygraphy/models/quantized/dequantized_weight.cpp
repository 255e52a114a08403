#include "polygraphy/models/quantized/dequantized_weight.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "base/arrays/convert.h"
#include "base/arrays/packing.h"
#include "graphsurgeon/ir/int_attribute.h"
#include "graphsurgeon/ir/tensor.h"

namespace polygraphy {
namespace {

using graphsurgeon::Node;
using graphsurgeon::Tensor;

const Tensor* input(const Node& node, size_t place) {
  if (place >= node.inputs().size()) return nullptr;
  const Tensor* tensor = node.inputs()[place];
  return tensor->is_empty() ? nullptr : tensor;
}

Array load(const Tensor& tensor) {
  return tensor.payload()->load(tensor.name()).contiguous_aligned();
}

Array floats(const Tensor& tensor) {
  return convert(load(tensor), DataType::kFloat32).contiguous_aligned();
}

float* numbers_in(Array& array) {
  return reinterpret_cast<float*>(array.mutable_data());
}

DequantizedWeight make(const Shape& shape) {
  return {Array::uninitialized(DataType::kFloat32, shape),
          Array::uninitialized(DataType::kFloat32, shape)};
}

// Binary digits behind the point of a number; 0 for integers, whose steps are equal.
int digits_of(DataType type) {
  switch (type) {
    case DataType::kFloat8E4M3FN:
    case DataType::kFloat8E4M3FNUZ:
      return 3;
    case DataType::kFloat8E5M2:
    case DataType::kFloat8E5M2FNUZ:
      return 2;
    case DataType::kFloat4E2M1:
      return 1;
    default:
      return 0;
  }
}

// Half the distance of a number to its neighbours, in units of the scale.
float half_step(float number, int digits) {
  if (digits == 0) return 0.5f;
  if (number == 0 || !std::isfinite(number)) return 0;
  return std::ldexp(0.5f, std::ilogb(number) - digits);
}

// The element of scales and zero points that belongs to an element of the numbers.
class ScaleIndex {
 public:
  ScaleIndex(const Shape& numbers, const Shape& scales, int64_t axis, int64_t block)
      : scales_(element_count(scales)) {
    if (scales_ == 1) return;
    const auto at = static_cast<size_t>(axis);
    inner_ = element_count(std::span(numbers).subspan(at + 1));
    size_ = numbers[at];
    block_ = scales.size() == numbers.size() && block > 0 ? block : 1;
    blocked_ = scales.size() == numbers.size() && block > 0;
  }
  int64_t of(int64_t element) const {
    if (scales_ == 1) return 0;
    const int64_t place = element / inner_ % size_;
    if (!blocked_) return place;
    const int64_t blocks = (size_ + block_ - 1) / block_;
    return (element / inner_ / size_ * blocks + place / block_) * inner_ + element % inner_;
  }

 private:
  int64_t scales_, inner_ = 1, size_ = 1, block_ = 1;
  bool blocked_ = false;
};

std::optional<DequantizedWeight> of_dequantize_linear(const Node& node) {
  const Tensor *x = input(node, 0), *scale = input(node, 1), *zero = input(node, 2);
  if (!x || !scale || !x->is_constant() || !scale->is_constant()) return std::nullopt;
  if (zero && !zero->is_constant()) return std::nullopt;
  const Shape shape = x->payload()->shape(), scale_shape = scale->payload()->shape();
  const auto rank = static_cast<int64_t>(shape.size());
  const int64_t given = graphsurgeon::int_attribute(node, "axis", 1),
                block = graphsurgeon::int_attribute(node, "block_size", 0);
  const int64_t axis = given < 0 ? given + rank : given;
  const int64_t scales = element_count(scale_shape);
  if (scales != 1) {
    if (axis < 0 || axis >= rank) return std::nullopt;
    const int64_t size = shape[static_cast<size_t>(axis)];
    Shape blocks = shape;
    if (block > 0) blocks[static_cast<size_t>(axis)] = (size + block - 1) / block;
    if (scale_shape.size() == 1 ? scales != size : block <= 0 || scale_shape != blocks)
      return std::nullopt;
  }
  if (zero && element_count(zero->payload()->shape()) != scales) return std::nullopt;
  const int digits = digits_of(x->payload()->dtype());
  const Array numbers = floats(*x), scale_of = floats(*scale);
  const Array zero_of = zero ? floats(*zero) : Array::zeros(DataType::kFloat32, {scales});
  const ScaleIndex index(shape, scale_shape, axis, block);
  DequantizedWeight weight = make(shape);
  float *values = numbers_in(weight.values), *steps = numbers_in(weight.half_steps);
  const auto number = numbers.as<float>(), factor = scale_of.as<float>(),
             offset = zero_of.as<float>();
  for (size_t i = 0; i < number.size(); ++i) {
    const auto at = static_cast<size_t>(index.of(static_cast<int64_t>(i)));
    values[i] = (number[i] - offset[at]) * factor[at];
    steps[i] = half_step(number[i], digits) * std::fabs(factor[at]);
  }
  return weight;
}

// B: [N, blocks, bytes of a block], the low bits first; one scale and zero point per block.
std::optional<DequantizedWeight> of_matmul_nbits(const Node& node) {
  const Tensor *b = input(node, 1), *scale = input(node, 2), *zero = input(node, 3);
  if (!b || !scale || !b->is_constant() || !scale->is_constant() || input(node, 4))
    return std::nullopt;
  if (zero && !zero->is_constant()) return std::nullopt;
  const int64_t k = graphsurgeon::int_attribute(node, "K", 0),
                n = graphsurgeon::int_attribute(node, "N", 0);
  const int64_t bits = graphsurgeon::int_attribute(node, "bits", 4),
                block = graphsurgeon::int_attribute(node, "block_size", 0);
  if (k <= 0 || n <= 0 || block <= 0 || (bits != 4 && bits != 8)) return std::nullopt;
  const int64_t blocks = (k + block - 1) / block, row = blocks * block * bits / 8;
  const int64_t zero_row = (blocks * bits + 7) / 8;
  if (b->payload()->size() != n * row || scale->payload()->size() != n * blocks)
    return std::nullopt;
  const bool packed = zero && zero->payload()->dtype() == DataType::kUint8;
  if (zero && zero->payload()->size() != n * (packed ? zero_row : blocks)) return std::nullopt;
  const Array stored = load(*b), scale_of = floats(*scale);
  const Array zero_of = !zero ? Array() : packed ? load(*zero) : floats(*zero);
  const auto number = [bits](const Array& from, int64_t first_byte, int64_t place) {
    const auto byte = std::to_integer<unsigned>(from.data()[first_byte + place * bits / 8]);
    return bits == 8 ? byte : (place % 2 == 0 ? byte & 15U : byte >> 4U);
  };
  DequantizedWeight weight = make({k, n});
  float *values = numbers_in(weight.values), *steps = numbers_in(weight.half_steps);
  for (int64_t column = 0; column < n; ++column) {
    for (int64_t i = 0; i < k; ++i) {
      const int64_t at = column * blocks + i / block;
      const float factor = scale_of.as<float>()[static_cast<size_t>(at)];
      auto offset = static_cast<float>(1 << (bits - 1));
      if (packed) offset = static_cast<float>(number(zero_of, column * zero_row, i / block));
      if (zero && !packed) offset = zero_of.as<float>()[static_cast<size_t>(at)];
      const auto value = static_cast<float>(number(stored, column * row, i));
      values[i * n + column] = (value - offset) * factor;
      steps[i * n + column] = 0.5f * std::fabs(factor);
    }
  }
  return weight;
}

std::optional<DequantizedWeight> of_matmul_integer(const Node& node) {
  const Tensor *b = input(node, 1), *zero = input(node, 3);
  if (!b || !b->is_constant() || (zero && !zero->is_constant())) return std::nullopt;
  const Shape shape = b->payload()->shape();
  const int64_t zeros = zero ? zero->payload()->size() : 1;
  if (shape.size() != 2 || (zeros != 1 && zeros != shape[1])) return std::nullopt;
  const Array numbers = floats(*b);
  const Array zero_of = zero ? floats(*zero) : Array::zeros(DataType::kFloat32, {1});
  DequantizedWeight weight = make(shape);
  float *values = numbers_in(weight.values), *steps = numbers_in(weight.half_steps);
  for (int64_t i = 0; i < numbers.size(); ++i) {
    const auto column = static_cast<size_t>(zeros == 1 ? 0 : i % shape[1]);
    values[i] = numbers.as<float>()[static_cast<size_t>(i)] - zero_of.as<float>()[column];
    steps[i] = 0.5f;
  }
  return weight;
}

}  // namespace

std::optional<DequantizedWeight> dequantized_weight(const Node& node) {
  if (node.op() == "DequantizeLinear") return of_dequantize_linear(node);
  if (node.op() == "MatMulNBits") return of_matmul_nbits(node);
  if (node.op() == "MatMulInteger") return of_matmul_integer(node);
  return std::nullopt;
}

}  // namespace polygraphy
