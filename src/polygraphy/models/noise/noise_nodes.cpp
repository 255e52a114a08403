#include "polygraphy/models/noise/noise_nodes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/fingerprint.h"
#include "graphsurgeon/ir/arg.h"

namespace polygraphy {
namespace {

using graphsurgeon::DataType;
using graphsurgeon::Graph;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::TensorRef;

// From this opset on, ONNX Runtime (1.31) has no other operator of random numbers.
constexpr int64_t kDropoutsOnly = 22;

// Tensors of other sizes have their own random numbers: few numbers take no time, and a pool of
// many stays in memory until its last reader has run.
constexpr int64_t kFewNumbers = 1 << 12, kManyNumbers = 1 << 22;
// Places where a stretch of a pool may start.
constexpr int64_t kStarts = 1 << 15;
// Longer pools repeat as many numbers: a prime, so that they fall on other places of each row and
// channel.
constexpr int64_t kPeriod = (1 << 17) - 1;

}  // namespace

void NoiseNodes::begin(Graph& graph, std::vector<NodeRef>& nodes, std::string disturbed,
                       int64_t size) {
  graph_ = &graph;
  nodes_ = &nodes;
  disturbed_ = std::move(disturbed);
  size_ = size;
  seeds_ = 0;
}

void NoiseNodes::finish() {
  if (pools_.empty()) return;
  std::vector<NodeRef>& nodes = *nodes_;
  std::vector<NodeRef> first;
  for (const auto& [range, pool] : pools_) {
    const auto [middle, reach] = range;
    begin(*graph_, first, "numbers " + std::to_string(std::bit_cast<uint32_t>(reach)), 0);
    // As many in each model: the next run gets those behind them.
    const TensorRef numbers = new_numbers(
        apply("ConstantOfShape", {integers({kPeriod})}, DataType::kFloat32), middle, reach);
    if (pool.size > kPeriod)
      apply("Tile", {numbers, integers({pool.size / kPeriod + 1})}, DataType::kFloat32);
    first.back()->outputs().set(0, pool.numbers);
  }
  pools_.clear();
  std::ranges::move(std::exchange(stretches_, {}), std::back_inserter(first));
  nodes.insert(nodes.begin(), first.begin(), first.end());
}

TensorRef NoiseNodes::disturb(const TensorRef& value, NumberFormat format, double times) {
  const int digits = significant_digits(format);
  const bool whole_step = format == NumberFormat::kFloat32;
  const auto reach = static_cast<float>(std::ldexp(0.999 * times, (whole_step ? 1 : -1) - digits));
  return apply("Mul", {value, random_like(value, 1, reach)}, DataType::kFloat32);
}

TensorRef NoiseNodes::random_like(const TensorRef& value, float middle, float reach) {
  if (opset_ >= 9 && size_ >= kFewNumbers && size_ <= kManyNumbers)
    return stretch(value, middle, reach);
  return new_numbers(value, middle, reach);
}

TensorRef NoiseNodes::stretch(const TensorRef& value, float middle, float reach) {
  Pool& pool = pools_[{middle, reach}];
  if (!pool.numbers) pool.numbers = graph_->variable(name("numbers"), DataType::kFloat32);
  // By the tensor's name alone: other tensors are missing in a part of the model.
  const int64_t start = next_seed() % kStarts, end = start + size_;
  pool.size = std::max(pool.size, end);
  std::vector<NodeRef>* const nodes = std::exchange(nodes_, &stretches_);
  TensorRef numbers;
  if (opset_ >= 10) {
    numbers =
        apply("Slice", {pool.numbers, integers({start}), integers({end})}, DataType::kFloat32);
  } else {
    numbers = apply("Slice", {pool.numbers}, DataType::kFloat32);
    nodes_->back()->set_attribute("starts", Shape{start});
    nodes_->back()->set_attribute("ends", Shape{end});
  }
  nodes_ = nodes;
  const TensorRef shape = apply("Shape", {value}, DataType::kInt64);
  return apply("Reshape", {numbers, shape}, DataType::kFloat32);
}

TensorRef NoiseNodes::new_numbers(const TensorRef& value, float middle, float reach) {
  if (opset_ >= kDropoutsOnly) return random_by_dropout(value, middle, reach);
  const NodeRef random = Node::create(graph_->store(), "RandomUniformLike", name("node"));
  random->set_attribute("low", middle - reach);
  random->set_attribute("high", middle + reach);
  random->set_attribute("seed", static_cast<float>(next_seed()));
  random->set_attribute("dtype", 1);
  const TensorRef numbers = graph_->variable(name("factor"), DataType::kFloat32);
  random->inputs().append(value);
  random->outputs().append(numbers);
  nodes_->push_back(random);
  return numbers;
}

// One of two numbers at random, with the same variance as numbers between them.
TensorRef NoiseNodes::random_by_dropout(const TensorRef& value, float middle, float reach) {
  const NodeRef random = Node::create(graph_->store(), "Dropout", name("node"));
  random->set_attribute("seed", next_seed());
  random->inputs().append(value);
  random->inputs().append(scalar(0.5f));
  random->inputs().append(constant(Array::of<bool>({}, {true})));  // as in training
  const TensorRef mask = graph_->variable(name("mask"), DataType::kBool);
  random->outputs().append(graph_->variable(name("dropped"), DataType::kFloat32));
  random->outputs().append(mask);
  nodes_->push_back(random);
  const float half = reach / std::sqrt(3.0f);
  return apply("Where", {mask, scalar(middle + half), scalar(middle - half)}, DataType::kFloat32);
}

// By the tensor's name: it gets the same noise in every model that is cut from this one. float
// holds it.
int64_t NoiseNodes::next_seed() {
  const uint64_t name = fingerprint(disturbed_).low;
  return static_cast<int64_t>((name + static_cast<uint64_t>(seed_ * 1000003 + seeds_++)) %
                              16777213);
}

TensorRef NoiseNodes::unless_short(const TensorRef& value, const TensorRef& disturbed) {
  const TensorRef factor = scalar(17);  // 2^4 + 1
  const TensorRef large = apply("Mul", {value, factor}, DataType::kFloat32);
  const TensorRef rest = apply("Sub", {large, value}, DataType::kFloat32);
  const TensorRef high = apply("Sub", {large, rest}, DataType::kFloat32);
  const TensorRef is_short = apply("Equal", {high, value}, DataType::kBool);
  return apply("Where", {is_short, value, disturbed}, DataType::kFloat32);
}

TensorRef NoiseNodes::rounded(const TensorRef& value, NumberFormat format) {
  switch (format) {
    case NumberFormat::kFloat32:
      return value;
    case NumberFormat::kTf32:
      return split(value, 13);
    case NumberFormat::kBfloat16:
      return opset_ >= 13 ? through(value, DataType::kBfloat16) : split(value, 16);
    case NumberFormat::kFloat16:
      return through(value, DataType::kFloat16);
    case NumberFormat::kFloat8E4M3FN:
      return through(value, DataType::kFloat8E4M3FN);
    case NumberFormat::kFloat8E5M2:
      return through(value, DataType::kFloat8E5M2);
    case NumberFormat::kInt8:
      return in_steps(value);
  }
  return value;
}

TensorRef NoiseNodes::through(const TensorRef& value, DataType type) {
  const TensorRef narrow = apply("Cast", {value}, type, "to", static_cast<int64_t>(type));
  return apply("Cast", {narrow}, DataType::kFloat32, "to", 1);
}

// T. J. Dekker, A floating-point technique for extending the available precision, 1971: the
// number without its last `digits`, rounded. Numbers that are too large for it stay.
TensorRef NoiseNodes::split(const TensorRef& value, int digits) {
  const TensorRef factor = scalar(std::ldexp(1.0f, digits) + 1);
  const TensorRef large = apply("Mul", {value, factor}, DataType::kFloat32);
  const TensorRef rest = apply("Sub", {large, value}, DataType::kFloat32);
  const TensorRef high = apply("Sub", {large, rest}, DataType::kFloat32);
  if (opset_ < 9) return high;
  const TensorRef lost = apply("IsNaN", {high}, DataType::kBool);
  return apply("Where", {lost, value, high}, DataType::kFloat32);
}

TensorRef NoiseNodes::in_steps(const TensorRef& value) {
  const TensorRef magnitude = apply("Abs", {value}, DataType::kFloat32);
  const TensorRef largest = apply("ReduceMax", {magnitude}, DataType::kFloat32, "keepdims", 0);
  const TensorRef some = apply("Max", {largest, scalar(1e-30f)}, DataType::kFloat32);
  const TensorRef step = apply("Div", {some, scalar(127)}, DataType::kFloat32);
  const TensorRef count = apply("Div", {value, step}, DataType::kFloat32);
  const TensorRef whole =
      opset_ >= 11 ? apply("Round", {count}, DataType::kFloat32)
                   : apply("Floor", {apply("Add", {count, scalar(0.5f)}, DataType::kFloat32)},
                           DataType::kFloat32);
  return apply("Mul", {whole, step}, DataType::kFloat32);
}

TensorRef NoiseNodes::as_written(const TensorRef& value, const Node& writer) {
  const std::vector<TensorRef> inputs = writer.inputs().snapshot();
  const TensorRef narrow = apply(writer.op(), {value}, writer.outputs()[0]->dtype());
  const NodeRef write = nodes_->back();
  for (const graphsurgeon::Attribute& attribute : writer.attributes())
    write->set_attribute(attribute);
  if (writer.op() == "Cast")
    return apply("Cast", {narrow}, value->dtype(), "to", static_cast<int64_t>(value->dtype()));
  const TensorRef wide = apply("DequantizeLinear", {narrow}, value->dtype());
  const NodeRef read = nodes_->back();
  for (const std::string_view name : {"axis", "block_size"}) {
    if (const graphsurgeon::Attribute* attribute = writer.attribute(name))
      read->set_attribute(*attribute);
  }
  for (size_t i = 1; i < inputs.size(); ++i) {
    write->inputs().append(inputs[i]);
    read->inputs().append(inputs[i]);
  }
  return wide;
}

TensorRef NoiseNodes::apply(std::string_view op, std::initializer_list<TensorRef> inputs,
                            DataType type, std::string_view attribute, int64_t value) {
  const NodeRef node = Node::create(graph_->store(), op, name("node"));
  if (!attribute.empty()) node->set_attribute(attribute, value);
  for (const TensorRef& input : inputs) node->inputs().append(input);
  const TensorRef result = graph_->variable(name("value"), type);
  node->outputs().append(result);
  nodes_->push_back(node);
  return result;
}

TensorRef NoiseNodes::scalar(float number) {
  return constant(Array::of<float>({}, {number}));
}

TensorRef NoiseNodes::integers(const Shape& numbers) {
  return constant(Array::of<int64_t>({std::ssize(numbers)}, numbers));
}

TensorRef NoiseNodes::constant(Array value) {
  const TensorRef constant = graph_->constant(name("constant"), std::move(value));
  graph_->mutable_initializers().push_back(constant);
  return constant;
}

// No model has names with control characters by accident.
std::string NoiseNodes::name(std::string_view what) {
  return "rounding\x1f" + std::string(what) + "_" + std::to_string(count_++);
}

}  // namespace polygraphy
