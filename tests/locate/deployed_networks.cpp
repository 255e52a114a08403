#include "deployed_networks.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "graphsurgeon/onnx/onnx_text.h"
#include "network_builder.h"

namespace polygraphy {
namespace {

constexpr int64_t kFloat = 1;

ArrayMap numbers(const char* name, Shape shape, int64_t sample) {
  Random random(static_cast<uint64_t>(sample) + 7000);
  return {{name, random.numbers(std::move(shape), 1 + 0.25f * static_cast<float>(sample))}};
}
ArrayMap rows(int64_t sample) {
  return numbers("x", {4, 32}, sample);
}
ArrayMap tokens(int64_t sample) {
  return numbers("x", {1, 12, 32}, sample);
}
ArrayMap image(int64_t sample) {
  return numbers("x", {1, 3, 16, 16}, sample);
}

// Quantised as exporters write it: activations between QuantizeLinear and DequantizeLinear, weights
// of 8 bits behind a DequantizeLinear.
class Quantized : public Net {
 public:
  using Net::Net;

  TensorRef step(float scale) { return number(scale); }
  TensorRef zero() { return constant(Array::of<int8_t>({}, {0})); }
  TensorRef qdq(const TensorRef& x, float scale = 0.03f) {
    const TensorRef scales = step(scale), zeros = zero();
    return apply("DequantizeLinear", {apply("QuantizeLinear", {x, scales, zeros}), scales, zeros});
  }
  // Even numbers of 7 bits. On processors without VNNI, engines add pairs of products in 16 bits,
  // which those of 8 bits exceed, or halve one factor. So one of two activations has larger steps.
  Array levels(Shape shape) {
    Array array = Array::uninitialized(DataType::kInt8, shape);
    auto* values = reinterpret_cast<int8_t*>(array.mutable_data());
    for (int64_t i = 0; i < array.size(); ++i) {
      seed_ = static_cast<uint8_t>(seed_ * 37 + 91);
      values[i] = static_cast<int8_t>(static_cast<int8_t>(seed_) / 4 * 2);
    }
    return array;
  }
  TensorRef weight8(Shape shape, float scale) {
    return apply("DequantizeLinear", {constant(levels(std::move(shape))), step(scale), zero()});
  }
  TensorRef linear8(const TensorRef& x, int64_t in, int64_t out) {
    const float scale = 1 / (30 * std::sqrt(static_cast<float>(in)));
    const TensorRef y = apply("MatMul", {qdq(x), weight8({in, out}, scale)});
    return apply("Add", {y, weight({out}, 0.3f)});
  }
  TensorRef conv8(const TensorRef& x, int64_t in, int64_t out, int64_t stride = 1) {
    const float scale = 1 / (30 * std::sqrt(static_cast<float>(in * 9)));
    return apply("Conv", {qdq(x), weight8({out, in, 3, 3}, scale), weight({out}, 0.2f)},
                 {{"pads", std::vector<int64_t>{1, 1, 1, 1}},
                  {"strides", std::vector<int64_t>{stride, stride}}});
  }
  TensorRef heads(const TensorRef& x) {
    const TensorRef parts = apply("Reshape", {x, ints({1, 12, 4, 8})});
    return apply("Transpose", {parts}, {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
  }
  TensorRef attention8(const TensorRef& x) {
    const TensorRef q = heads(linear8(x, 32, 32)), v = heads(linear8(x, 32, 32));
    const TensorRef k = apply("Transpose", {heads(linear8(x, 32, 32))},
                              {{"perm", std::vector<int64_t>{0, 1, 3, 2}}});
    const TensorRef scores = apply("MatMul", {qdq(q), qdq(k, 0.06f)});
    const TensorRef chance =
        apply("Softmax", {apply("Mul", {scores, number(0.35f)})}, {{"axis", -1}});
    const TensorRef mixed = apply("MatMul", {qdq(chance, 1.0f / 127), qdq(v, 0.06f)});
    const TensorRef back =
        apply("Transpose", {mixed}, {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
    return linear8(apply("Reshape", {back, ints({1, 12, 32})}), 32, 32);
  }

 private:
  uint8_t seed_ = 5;
};

Model qdq_mlp() {
  Quantized net(61);
  TensorRef x = net.apply("Relu", {net.linear8(net.input("x", {4, 32}), 32, 32)});
  x = net.apply("Transpose", {net.linear8(x, 32, 32)}, {{"perm", std::vector<int64_t>{1, 0}}});
  x = net.apply("Transpose", {net.apply("Tanh", {x})}, {{"perm", std::vector<int64_t>{1, 0}}});
  return net.finish(net.linear8(x, 32, 8));
}

Model qdq_encoder() {
  Quantized net(62);
  TensorRef x = net.input("x", {1, 12, 32});
  for (int i = 0; i < 2; ++i) {
    x = net.layer_norm(net.apply("Add", {x, net.attention8(x)}), 32);
    const TensorRef wide = net.gelu(net.linear8(x, 32, 64));
    x = net.layer_norm(net.apply("Add", {x, net.linear8(wide, 64, 32)}), 32);
  }
  return net.finish(net.linear8(x, 32, 8));
}

Model qdq_unet() {
  Quantized net(63);
  const TensorRef top = net.apply("Relu", {net.conv8(net.input("x", {1, 3, 16, 16}), 3, 6)});
  const TensorRef down = net.apply("Relu", {net.conv8(top, 6, 8, 2)});
  const TensorRef low = net.apply("Relu", {net.conv8(down, 8, 8)});
  const TensorRef scales = net.constant(Array::of<float>({4}, {1, 1, 2, 2}));
  const TensorRef none = net.constant(Array::of<float>({0}, std::span<const float>()));
  const TensorRef up = net.apply("Resize", {low, none, scales},
                                 {{"mode", "nearest"},
                                  {"coordinate_transformation_mode", "asymmetric"},
                                  {"nearest_mode", "floor"}});
  const TensorRef both = net.apply("Concat", {up, top}, {{"axis", 1}});
  return net.finish(net.conv8(net.apply("Relu", {net.conv8(both, 14, 6)}), 6, 3));
}

// The operators on integers that a QDQ model may be written in.
Model qoperators() {
  Quantized net(64);
  const TensorRef step = net.step(0.03f), next = net.step(0.05f), zero = net.zero();
  const TensorRef x = net.apply("QuantizeLinear", {net.input("x", {1, 3, 16, 16}), step, zero});
  const auto conv = [&](const TensorRef& from, int64_t in, int64_t out, const TensorRef& scale) {
    return net.apply(
        "QLinearConv",
        {from, scale, zero, net.constant(net.levels({out, in, 3, 3})),
         net.step(1 / (30 * std::sqrt(static_cast<float>(in * 9)))), zero, next, zero},
        {{"pads", std::vector<int64_t>{1, 1, 1, 1}}, {"strides", std::vector<int64_t>{2, 2}}});
  };
  const TensorRef y = conv(conv(x, 3, 6, step), 6, 8, next);
  const TensorRef flat = net.apply("Reshape", {y, net.ints({1, 128})});
  const TensorRef z = net.apply(
      "QLinearMatMul",
      {flat, next, zero, net.constant(net.levels({128, 8})), net.step(0.003f), zero, next, zero});
  return net.finish(net.apply("Tanh", {net.apply("DequantizeLinear", {z, next, zero})}));
}

// Scores with a mask: "Add" of it, or "Where" it is not.
Model masked(float mask, bool adds, bool causal, uint64_t seed) {
  Net net(seed);
  TensorRef x = net.input("x", {1, 12, 32});
  std::vector<float> added(12 * 12);
  for (int row = 0; row < 12; ++row) {
    for (int column = 0; column < 12; ++column)
      added[static_cast<size_t>(row * 12 + column)] =
          (causal ? column > row : column > 8) ? mask : 0;
  }
  const TensorRef masks = net.constant(Array::of<float>({12, 12}, std::span<const float>(added)));
  const auto heads = [&](const TensorRef& t, std::vector<int64_t> order) {
    const TensorRef parts = net.apply("Reshape", {t, net.ints({1, 12, 4, 8})});
    return net.apply("Transpose", {parts}, {{"perm", std::move(order)}});
  };
  for (int i = 0; i < 2; ++i) {
    const TensorRef q = heads(net.linear(x, 32, 32), {0, 2, 1, 3});
    const TensorRef k = heads(net.linear(x, 32, 32), {0, 2, 3, 1});
    const TensorRef v = heads(net.linear(x, 32, 32), {0, 2, 1, 3});
    TensorRef scores = net.apply("Mul", {net.apply("MatMul", {q, k}), net.number(0.35f)});
    if (adds) {
      scores = net.apply("Add", {scores, masks});
    } else {
      scores = net.apply("Where",
                         {net.apply("Less", {masks, net.number(-1)}), net.number(mask), scores});
    }
    const TensorRef mixed =
        net.apply("MatMul", {net.apply("Softmax", {scores}, {{"axis", -1}}), v});
    const TensorRef back =
        net.apply("Transpose", {mixed}, {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
    const TensorRef y = net.linear(net.apply("Reshape", {back, net.ints({1, 12, 32})}), 32, 32);
    x = net.layer_norm(net.apply("Add", {x, y}), 32);
  }
  return net.finish(net.linear(x, 32, 8));
}

// Tokens that must not be chosen.
Model suppressed_tokens() {
  Net net(68);
  const TensorRef x = net.apply("Tanh", {net.dense(net.input("x", {4, 32}), 32, 32)});
  std::vector<float> added(40);
  for (size_t i = 0; i < added.size(); i += 5) added[i] = -1e9f;
  return net.finish(net.apply(
      "Add",
      {net.dense(x, 32, 40), net.constant(Array::of<float>({40}, std::span<const float>(added)))}));
}

// A sequence is an output.
Model split_output() {
  return graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4, 32] x) => (seq(float[4, 8]) s, float[4, 32] y) <int64 part = {8}> {
      [Sin_0] a = Sin(x)
      [Exp_1] b = Exp(a)
      [Split_2] s = SplitToSequence<axis = 1>(b, part)
      [Tanh_3] y = Tanh(a)
    })");
}

Model inserted_output() {
  return graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4, 32] x) => (seq(float[4, 32]) t, float[4, 32] y) <int64 one = {1}> {
      [Sin_0] a = Sin(x)
      [Exp_1] b = Exp(a)
      [Construct_2] s = SequenceConstruct(a, b)
      [Cos_3] c = Cos(b)
      [Insert_4] t = SequenceInsert(s, c)
      [At_5] d = SequenceAt(t, one)
      [Tanh_6] y = Tanh(d)
    })");
}

// Half of the numbers are 0.
Model label_of_relu() {
  Net net(71);
  const TensorRef x = net.dense(net.input("x", {4, 32}), 32, 20);
  const TensorRef low = net.apply("Relu", {net.apply("Sub", {x, net.number(3)})});
  return net.finish(net.apply("ArgMax", {low}, {{"axis", -1}, {"keepdims", 0}}));
}

Model last_of_rounded() {
  Net net(72);
  const TensorRef x = net.apply("Round", {net.dense(net.input("x", {4, 32}), 32, 40)});
  const TensorRef label =
      net.apply("ArgMax", {x}, {{"axis", -1}, {"keepdims", 0}, {"select_last_index", int64_t{1}}});
  return net.finish(net.apply("Cast", {label}, {{"to", kFloat}}));
}

Model best_of_rounded() {
  Net net(73);
  const TensorRef x = net.apply("Round", {net.dense(net.input("x", {4, 32}), 32, 40)});
  net.apply("TopK", {x, net.ints({5})}, {{"axis", -1}}, 2);
  const TensorRef words = net.apply("Gather", {net.weight({40, 16}, 1), net.also(1)});
  return net.finish(net.apply("Tanh", {net.linear(words, 16, 4)}));
}

constexpr SmallNetwork kNetworks[] = {
    {"qdq_mlp", qdq_mlp, rows},
    {"qdq_encoder", qdq_encoder, tokens},
    {"qdq_unet", qdq_unet, image},
    {"qoperators", qoperators, image},
    {"mask_of_bert", [] { return masked(-1e4f, true, false, 65); }, tokens},
    {"mask_by_where", [] { return masked(-1e9f, false, true, 66); }, tokens},
    {"mask_of_least", [] { return masked(std::numeric_limits<float>::lowest(), true, true, 67); },
     tokens},
    {"suppressed_tokens", suppressed_tokens, rows},
    {"split_output", split_output, rows},
    {"inserted_output", inserted_output, rows},
    {"label_of_relu", label_of_relu, rows},
    {"last_of_rounded", last_of_rounded, rows},
    {"best_of_rounded", best_of_rounded, rows},
};

}  // namespace

std::span<const SmallNetwork> deployed_networks() {
  return kNetworks;
}

}  // namespace polygraphy
