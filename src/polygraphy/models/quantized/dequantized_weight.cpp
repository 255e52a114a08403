#include "polygraphy/models/quantized/dequantized_weight.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
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

// Binary digits behind the point of a number; 0 for integers, which have equal steps.
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

bool is_constant_or_none(const Tensor* tensor) {
  return !tensor || tensor->is_constant();
}

bool are_constants(const Tensor* one, const Tensor* other) {
  return one && other && one->is_constant() && other->is_constant();
}

// From 0; -1 where the axis does not exist.
int64_t axis_of(const Node& node, int64_t rank) {
  const int64_t given = graphsurgeon::int_attribute(node, "axis", 1);
  const int64_t axis = given < 0 ? given + rank : given;
  return axis < rank ? axis : -1;
}

bool reads_dequantize_linear(const Node& node) {
  const Tensor *x = input_at(node, 0), *scale = input_at(node, 1), *zero = input_at(node, 2);
  if (!are_constants(x, scale) || !is_constant_or_none(zero)) return false;
  const Shape shape = x->payload()->shape(), scale_shape = scale->payload()->shape();
  const int64_t axis = axis_of(node, static_cast<int64_t>(shape.size())),
                block = graphsurgeon::int_attribute(node, "block_size", 0);
  const int64_t scales = element_count(scale_shape);
  if (scales != 1) {
    if (axis < 0) return false;
    const int64_t size = shape[static_cast<size_t>(axis)];
    Shape blocks = shape;
    if (block > 0) blocks[static_cast<size_t>(axis)] = (size + block - 1) / block;
    if (scale_shape.size() == 1 ? scales != size : block <= 0 || scale_shape != blocks)
      return false;
  }
  return !zero || element_count(zero->payload()->shape()) == scales;
}

// `use` gets each number, a QuantizedNumber.
template <typename Use>
QuantizedGroups visit_dequantize_linear(const Node& node, const Tensor& x, Use use) {
  const Tensor *scale = input_at(node, 1), *zero = input_at(node, 2);
  const Shape shape = x.payload()->shape(), scale_shape = scale->payload()->shape();
  const int64_t axis = axis_of(node, static_cast<int64_t>(shape.size())),
                block = graphsurgeon::int_attribute(node, "block_size", 0);
  const int64_t scales = element_count(scale_shape);
  const Array numbers = floats(x), scale_of = floats(*scale);
  const Array zero_of = zero ? floats(*zero) : Array::zeros(DataType::kFloat32, {scales});
  const ScaleIndex index(shape, scale_shape, axis, block);
  const auto number = numbers.as<float>(), factor = scale_of.as<float>(),
             offset = zero_of.as<float>();
  for (size_t i = 0; i < number.size(); ++i) {
    const auto at = static_cast<size_t>(index.of(static_cast<int64_t>(i)));
    use(QuantizedNumber{static_cast<int64_t>(i), static_cast<int64_t>(at), number[i], offset[at],
                        factor[at]});
  }
  QuantizedGroups groups{.count = scales};
  if (scales > 1 && scale_shape.size() > 1) {
    groups.blocks = scale_shape[static_cast<size_t>(axis)];
    groups.stride = element_count(std::span(shape).subspan(static_cast<size_t>(axis) + 1));
  }
  return groups;
}

DequantizedWeight of_dequantize_linear(const Node& node, const Tensor& x) {
  const int digits = digits_of(x.payload()->dtype());
  DequantizedWeight weight = make(x.payload()->shape());
  float *values = numbers_in(weight.values), *steps = numbers_in(weight.half_steps);
  visit_dequantize_linear(node, x, [&](const QuantizedNumber& one) {
    values[one.element] = (one.number - one.zero) * one.scale;
    steps[one.element] = half_step(one.number, digits) * std::fabs(one.scale);
  });
  return weight;
}

struct BlockSizes {
  explicit BlockSizes(const Node& node)
      : k(graphsurgeon::int_attribute(node, "K", 0)),
        n(graphsurgeon::int_attribute(node, "N", 0)),
        bits(graphsurgeon::int_attribute(node, "bits", 4)),
        block(graphsurgeon::int_attribute(node, "block_size", 0)) {}

  bool is_known() const { return k > 0 && n > 0 && block > 0 && (bits == 4 || bits == 8); }
  int64_t blocks() const { return (k + block - 1) / block; }
  // Bytes of a column.
  int64_t row() const { return blocks() * block * bits / 8; }
  int64_t zero_row() const { return (blocks() * bits + 7) / 8; }

  const int64_t k, n, bits, block;
};

bool is_packed(const Tensor& zero) {
  return zero.payload()->dtype() == DataType::kUint8;
}

// The block with the scale of each row of the matrix: g_idx, or the blocks in order. Empty: g_idx
// is not understood.
std::vector<int64_t> blocks_of_rows(const Tensor* g_idx, const BlockSizes& sizes) {
  std::vector<int64_t> blocks(static_cast<size_t>(sizes.k));
  if (!g_idx) {
    for (int64_t i = 0; i < sizes.k; ++i) blocks[static_cast<size_t>(i)] = i / sizes.block;
    return blocks;
  }
  if (!g_idx->is_constant() || g_idx->payload()->dtype() != DataType::kInt32) return {};
  const int64_t given = g_idx->payload()->size();
  if (given < sizes.k || given > sizes.blocks() * sizes.block) return {};
  const Array indices = load(*g_idx);
  for (size_t i = 0; i < blocks.size(); ++i) {
    blocks[i] = indices.as<int32_t>()[i];
    if (blocks[i] < 0 || blocks[i] >= sizes.blocks()) return {};
  }
  return blocks;
}

bool reads_matmul_nbits(const Node& node) {
  const Tensor *b = input_at(node, 1), *scale = input_at(node, 2), *zero = input_at(node, 3);
  const BlockSizes sizes(node);
  if (!are_constants(b, scale) || !is_constant_or_none(zero) || !sizes.is_known()) return false;
  const int64_t scales = sizes.n * sizes.blocks();
  if (b->payload()->size() != sizes.n * sizes.row() || scale->payload()->size() != scales)
    return false;
  if (zero && zero->payload()->size() != (is_packed(*zero) ? sizes.n * sizes.zero_row() : scales))
    return false;
  return !blocks_of_rows(input_at(node, 4), sizes).empty();
}

// B: [N, blocks, bytes of a block], the low bits first; one scale and zero point per block.
template <typename Use>
QuantizedGroups visit_matmul_nbits(const Node& node, Use use) {
  const Tensor *b = input_at(node, 1), *scale = input_at(node, 2), *zero = input_at(node, 3);
  const BlockSizes sizes(node);
  const int64_t k = sizes.k, n = sizes.n, bits = sizes.bits, blocks = sizes.blocks();
  const int64_t row = sizes.row(), zero_row = sizes.zero_row();
  const std::vector<int64_t> block_of = blocks_of_rows(input_at(node, 4), sizes);
  const bool packed = zero && is_packed(*zero);
  const Array stored = load(*b), scale_of = floats(*scale);
  const Array zero_of = !zero ? Array() : packed ? load(*zero) : floats(*zero);
  const auto number = [bits](const Array& from, int64_t first_byte, int64_t place) {
    const auto byte = std::to_integer<unsigned>(from.data()[first_byte + place * bits / 8]);
    return bits == 8 ? byte : (place % 2 == 0 ? byte & 15U : byte >> 4U);
  };
  for (int64_t column = 0; column < n; ++column) {
    for (int64_t i = 0; i < k; ++i) {
      const int64_t block = block_of[static_cast<size_t>(i)], at = column * blocks + block;
      const float factor = scale_of.as<float>()[static_cast<size_t>(at)];
      auto offset = static_cast<float>(1 << (bits - 1));
      if (packed) offset = static_cast<float>(number(zero_of, column * zero_row, block));
      if (zero && !packed) offset = zero_of.as<float>()[static_cast<size_t>(at)];
      const auto value = static_cast<float>(number(stored, column * row, i));
      use(QuantizedNumber{i * n + column, at, value, offset, factor});
    }
  }
  return {.count = n * blocks, .blocks = blocks};
}

DequantizedWeight of_matmul_nbits(const Node& node) {
  const BlockSizes sizes(node);
  DequantizedWeight weight = make({sizes.k, sizes.n});
  float *values = numbers_in(weight.values), *steps = numbers_in(weight.half_steps);
  visit_matmul_nbits(node, [&](const QuantizedNumber& one) {
    values[one.element] = (one.number - one.zero) * one.scale;
    steps[one.element] = 0.5f * std::fabs(one.scale);
  });
  return weight;
}

bool reads_matmul_integer(const Node& node) {
  const Tensor *b = input_at(node, 1), *zero = input_at(node, 3);
  if (!b || !b->is_constant() || !is_constant_or_none(zero)) return false;
  const Shape shape = b->payload()->shape();
  const int64_t zeros = zero ? zero->payload()->size() : 1;
  return shape.size() == 2 && (zeros == 1 || zeros == shape[1]);
}

DequantizedWeight of_matmul_integer(const Node& node) {
  const Tensor *b = input_at(node, 1), *zero = input_at(node, 3);
  const Shape shape = b->payload()->shape();
  const int64_t zeros = zero ? zero->payload()->size() : 1;
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

DequantizedWeight dequantized_with_one_scale(const Tensor& numbers, const Node& dequantize) {
  return of_dequantize_linear(dequantize, numbers);
}

bool has_dequantized_weight(const Node& node) {
  if (node.op() == "DequantizeLinear") return reads_dequantize_linear(node);
  if (node.op() == "MatMulNBits") return reads_matmul_nbits(node);
  return node.op() == "MatMulInteger" && reads_matmul_integer(node);
}

std::optional<QuantizedGroups> visit_quantized_numbers(
    const Node& node, const std::function<void(const QuantizedNumber&)>& use) {
  if (node.op() == "MatMulNBits" && reads_matmul_nbits(node)) return visit_matmul_nbits(node, use);
  if (node.op() != "DequantizeLinear" || !reads_dequantize_linear(node)) return std::nullopt;
  const Tensor& numbers = *input_at(node, 0);
  if (!is_integral(numbers.payload()->dtype())) return std::nullopt;
  return visit_dequantize_linear(node, numbers, use);
}

std::optional<DequantizedWeight> dequantized_weight(const Node& node) {
  if (!has_dequantized_weight(node)) return std::nullopt;
  if (node.op() == "DequantizeLinear") return of_dequantize_linear(node, *input_at(node, 0));
  return node.op() == "MatMulNBits" ? of_matmul_nbits(node) : of_matmul_integer(node);
}

}  // namespace polygraphy
