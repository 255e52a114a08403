// Builds networks with random weights, node by node.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy {

using graphsurgeon::Arg;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::TensorRef;

// The same numbers in every run: a linear congruence.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2654435761u + 12345) {}
  float number() {  // about normal
    float sum = 0;
    for (int i = 0; i < 6; ++i) {
      state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
      sum += static_cast<float>(state_ >> 40) * 0x1p-24f;
    }
    return (sum - 3) * 1.4142f;
  }
  Array numbers(Shape shape, float scale, float offset = 0) {
    Array array = Array::uninitialized(DataType::kFloat32, shape);
    auto* values = reinterpret_cast<float*>(array.mutable_data());
    for (int64_t i = 0; i < array.size(); ++i) values[i] = number() * scale + offset;
    return array;
  }

 private:
  uint64_t state_;
};

class Net {
 public:
  explicit Net(uint64_t seed, int64_t opset = 17) : random_(seed) {
    model_.ir_version = 8;
    model_.graph = Graph::create(*graphsurgeon::Store::create(), "net");
    model_.set_opset(opset);
  }

  TensorRef input(const std::string& name, Shape shape, DataType type = DataType::kFloat32) {
    graphsurgeon::DimList dims;
    for (const int64_t dimension : shape) dims.emplace_back(dimension);
    const TensorRef tensor = model_.graph->variable(name, type, dims);
    model_.graph->mutable_inputs().push_back(tensor);
    return tensor;
  }
  TensorRef weight(Shape shape, float scale, float offset = 0) {
    return constant(random_.numbers(std::move(shape), scale, offset));
  }
  TensorRef constant(Array value) {
    const TensorRef tensor =
        model_.graph->constant("w" + std::to_string(count_++), std::move(value));
    model_.graph->mutable_initializers().push_back(tensor);
    return tensor;
  }
  TensorRef number(float value) { return constant(Array::of<float>({}, {value})); }
  TensorRef ints(std::initializer_list<int64_t> values) {
    return constant(Array::of<int64_t>({static_cast<int64_t>(values.size())}, values));
  }

  TensorRef apply(const std::string& op, std::vector<TensorRef> inputs,
                  std::vector<std::pair<const char*, Arg>> attributes = {}, size_t outputs = 1) {
    const NodeRef node =
        Node::create(model_.graph->store(), op, op + "_" + std::to_string(nodes_++));
    for (const auto& [key, value] : attributes) node->set_attribute(key, value);
    for (TensorRef& input : inputs) node->inputs().append(std::move(input));
    for (size_t i = 0; i < outputs; ++i)
      node->outputs().append(model_.graph->variable("t" + std::to_string(count_++)));
    model_.graph->mutable_nodes().push_back(node);
    last_ = node;
    return TensorRef(node->outputs()[0]);
  }
  // An operator of another domain, with a result whose type inference does not know.
  TensorRef apply_of(const std::string& domain, const std::string& op,
                     std::vector<TensorRef> inputs,
                     std::vector<std::pair<const char*, Arg>> attributes) {
    const TensorRef result = apply(op, std::move(inputs), std::move(attributes));
    last_->set_domain(domain);
    model_.set_opset(1, domain);
    result->set_dtype(DataType::kFloat32);
    return result;
  }
  TensorRef also(size_t output) const { return TensorRef(last_->outputs()[output]); }

  TensorRef dense(const TensorRef& x, int64_t in, int64_t out) {
    return apply(
        "Gemm", {x, weight({in, out}, 1 / std::sqrt(static_cast<float>(in))), weight({out}, 0.3f)});
  }
  TensorRef linear(const TensorRef& x, int64_t in, int64_t out) {
    const TensorRef y =
        apply("MatMul", {x, weight({in, out}, 1 / std::sqrt(static_cast<float>(in)))});
    return apply("Add", {y, weight({out}, 0.3f)});
  }
  TensorRef conv(const TensorRef& x, int64_t in, int64_t out, int64_t side = 3, int64_t group = 1,
                 int64_t stride = 1) {
    const int64_t pad = side / 2;
    return apply("Conv",
                 {x,
                  weight({out, in / group, side, side},
                         std::sqrt(2.0f / static_cast<float>(in / group * side * side))),
                  weight({out}, 0.2f)},
                 {{"pads", std::vector<int64_t>{pad, pad, pad, pad}},
                  {"group", group},
                  {"strides", std::vector<int64_t>{stride, stride}}});
  }
  TensorRef batch_norm(const TensorRef& x, int64_t channels) {
    return apply("BatchNormalization", {x, weight({channels}, 0.1f, 1), weight({channels}, 0.1f),
                                        weight({channels}, 0.1f), constant(positive({channels}))});
  }
  Array positive(Shape shape) {
    Array array = random_.numbers(std::move(shape), 0.2f);
    auto* values = reinterpret_cast<float*>(array.mutable_data());
    for (int64_t i = 0; i < array.size(); ++i) values[i] = 0.5f + std::fabs(values[i]);
    return array;
  }
  TensorRef layer_norm(const TensorRef& x, int64_t width) {
    return apply("LayerNormalization", {x, weight({width}, 0.1f, 1), weight({width}, 0.1f)});
  }
  TensorRef spelled_out_norm(const TensorRef& x, int64_t width) {
    const TensorRef mean = apply("ReduceMean", {x}, {{"axes", std::vector<int64_t>{-1}}});
    const TensorRef centred = apply("Sub", {x, mean});
    const TensorRef squares = apply("Mul", {centred, centred});
    const TensorRef variance = apply("ReduceMean", {squares}, {{"axes", std::vector<int64_t>{-1}}});
    const TensorRef safe = apply("Add", {variance, number(1e-5f)});
    const TensorRef normed = apply("Div", {centred, apply("Sqrt", {safe})});
    return apply("Mul", {normed, weight({width}, 0.1f, 1)});
  }
  TensorRef gelu(const TensorRef& x) {
    const TensorRef erf = apply("Erf", {apply("Div", {x, number(1.41421356f)})});
    return apply("Mul", {apply("Mul", {x, apply("Add", {erf, number(1)})}), number(0.5f)});
  }
  TensorRef attention(const TensorRef& x, int64_t tokens, int64_t width, int64_t heads) {
    const auto split = [&](const TensorRef& t) {
      const TensorRef parts = apply("Reshape", {t, ints({1, tokens, heads, width / heads})});
      return apply("Transpose", {parts}, {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
    };
    const TensorRef q = split(linear(x, width, width)), k = split(linear(x, width, width));
    const TensorRef v = split(linear(x, width, width));
    const TensorRef turned = apply("Transpose", {k}, {{"perm", std::vector<int64_t>{0, 1, 3, 2}}});
    const TensorRef scores = apply(
        "Mul",
        {apply("MatMul", {q, turned}), number(1 / std::sqrt(static_cast<float>(width / heads)))});
    const TensorRef mixed = apply("MatMul", {apply("Softmax", {scores}, {{"axis", -1}}), v});
    const TensorRef back =
        apply("Transpose", {mixed}, {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
    return linear(apply("Reshape", {back, ints({1, tokens, width})}), width, width);
  }

  Model finish(const TensorRef& output) {
    Logger quiet;
    model_.graph->mutable_outputs().push_back(output);
    graphsurgeon::infer_shapes(model_, {}, quiet);
    return std::move(model_);
  }

 private:
  Model model_;
  Random random_;
  NodeRef last_;
  int count_ = 0, nodes_ = 0;
};

}  // namespace polygraphy
