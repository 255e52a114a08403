#include "small_networks.h"

#include <cmath>
#include <string>
#include <vector>

#include "graphsurgeon/onnx/onnx_text.h"
#include "network_builder.h"

namespace polygraphy {
namespace {

ArrayMap numbers(const char* name, Shape shape, int64_t sample, float scale = 1) {
  Random random(static_cast<uint64_t>(sample) + 1000);
  return {
      {name, random.numbers(std::move(shape), scale * (1 + 0.5f * static_cast<float>(sample)))}};
}

Model mlp(int layers, const char* activation, uint64_t seed) {
  Net net(seed);
  TensorRef x = net.input("x", {4, 32});
  for (int i = 0; i < layers; ++i) x = net.apply(activation, {net.dense(x, 32, 32)});
  return net.finish(net.apply("Softmax", {net.dense(x, 32, 10)}));
}
ArrayMap mlp_feed(int64_t sample) {
  return numbers("x", {4, 32}, sample);
}
Model mlp_relu() {
  return mlp(5, "Relu", 1);
}
Model mlp_tanh() {
  return mlp(8, "Tanh", 2);
}
Model mlp_sigmoid() {
  return mlp(3, "Sigmoid", 3);
}

ArrayMap image(int64_t sample) {
  return numbers("x", {1, 3, 16, 16}, sample);
}
Model conv_net() {
  Net net(4);
  TensorRef x = net.input("x", {1, 3, 16, 16});
  x = net.apply(
      "MaxPool", {net.apply("Relu", {net.conv(x, 3, 8)})},
      {{"kernel_shape", std::vector<int64_t>{2, 2}}, {"strides", std::vector<int64_t>{2, 2}}});
  x = net.apply("Relu", {net.conv(x, 8, 16, 5)});
  x = net.apply("Flatten", {net.apply("GlobalAveragePool", {x})});
  return net.finish(net.dense(x, 16, 10));
}
Model residual_net() {
  Net net(5);
  TensorRef x =
      net.apply("Relu", {net.batch_norm(net.conv(net.input("x", {1, 3, 16, 16}), 3, 8), 8)});
  for (int i = 0; i < 3; ++i) {
    TensorRef y = net.apply("Relu", {net.batch_norm(net.conv(x, 8, 8), 8)});
    y = net.batch_norm(net.conv(y, 8, 8), 8);
    x = net.apply("Relu", {net.apply("Add", {x, y})});
  }
  x = net.apply("Flatten", {net.apply("GlobalAveragePool", {x})});
  return net.finish(net.apply("Softmax", {net.dense(x, 8, 10)}));
}
Model mobile_net() {
  Net net(6);
  TensorRef x = net.conv(net.input("x", {1, 3, 16, 16}), 3, 8, 3, 1, 2);
  for (int i = 0; i < 3; ++i) {
    TensorRef y = net.apply("HardSwish", {net.conv(x, 8, 16, 1)});
    y = net.apply("HardSwish", {net.conv(y, 16, 16, 3, 16)});
    x = net.apply("Add", {x, net.conv(y, 16, 8, 1)});
  }
  const TensorRef pooled = net.apply("GlobalAveragePool", {x});
  const TensorRef gate = net.apply("Sigmoid", {net.conv(pooled, 8, 8, 1)});
  return net.finish(net.apply("Mul", {x, gate}));
}
Model dense_net() {
  Net net(7);
  TensorRef x = net.conv(net.input("x", {1, 3, 16, 16}), 3, 8);
  for (int i = 0; i < 3; ++i) {
    const TensorRef y = net.conv(net.apply("Relu", {x}), 8 + 4 * i, 4);
    x = net.apply("Concat", {x, y}, {{"axis", 1}});
  }
  return net.finish(net.apply("AveragePool", {x}, {{"kernel_shape", std::vector<int64_t>{2, 2}}}));
}
Model unet() {
  Net net(8);
  const TensorRef x = net.input("x", {1, 3, 16, 16});
  const TensorRef top = net.apply("Relu", {net.conv(x, 3, 6)});
  const TensorRef down = net.apply("Relu", {net.conv(top, 6, 12, 3, 1, 2)});
  const TensorRef up = net.apply("ConvTranspose", {down, net.weight({12, 6, 2, 2}, 0.2f)},
                                 {{"strides", std::vector<int64_t>{2, 2}}});
  const TensorRef both = net.apply("Concat", {up, top}, {{"axis", 1}});
  return net.finish(net.apply("Tanh", {net.conv(net.apply("LeakyRelu", {both}), 12, 3, 1)}));
}
Model norms() {
  Net net(9, 21);
  TensorRef x = net.conv(net.input("x", {1, 3, 16, 16}), 3, 8);
  x = net.apply("InstanceNormalization", {x, net.weight({8}, 0.1f, 1), net.weight({8}, 0.1f)});
  x = net.conv(net.apply("Relu", {x}), 8, 8);
  x = net.apply("GroupNormalization", {x, net.weight({8}, 0.1f, 1), net.weight({8}, 0.1f)},
                {{"num_groups", 2}});
  return net.finish(net.apply("Elu", {net.conv(x, 8, 4)}));
}

ArrayMap tokens(int64_t sample) {
  return numbers("x", {1, 12, 32}, sample);
}
Model transformer(bool fused, int layers, uint64_t seed) {
  Net net(seed);
  TensorRef x = net.input("x", {1, 12, 32});
  for (int i = 0; i < layers; ++i) {
    const auto norm = [&](const TensorRef& t) {
      return fused ? net.layer_norm(t, 32) : net.spelled_out_norm(t, 32);
    };
    x = net.apply("Add", {x, net.attention(norm(x), 12, 32, 4)});
    x = net.apply("Add", {x, net.linear(net.gelu(net.linear(norm(x), 32, 64)), 64, 32)});
  }
  return net.finish(fused ? net.layer_norm(x, 32) : x);
}
Model transformer_fused() {
  return transformer(true, 2, 10);
}
Model transformer_spelled_out() {
  return transformer(false, 2, 11);
}

Model embedding() {
  Net net(12);
  const TensorRef ids = net.input("ids", {1, 12}, DataType::kInt64);
  const TensorRef x = net.apply("Gather", {net.weight({50, 32}, 1), ids});
  const TensorRef y = net.layer_norm(net.apply("Add", {x, net.attention(x, 12, 32, 2)}), 32);
  return net.finish(net.linear(y, 32, 50));
}
ArrayMap ids(int64_t sample) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < 12; ++i) values.push_back((i * 7 + sample * 3) % 50);
  return {{"ids", Array::of<int64_t>({1, 12}, std::span<const int64_t>(values))}};
}

ArrayMap sequence(int64_t sample) {
  return numbers("x", {6, 1, 8}, sample);
}
Model lstm() {
  Net net(13);
  const TensorRef x = net.input("x", {6, 1, 8});
  const TensorRef y = net.apply(
      "LSTM",
      {x, net.weight({1, 64, 8}, 0.3f), net.weight({1, 64, 16}, 0.3f), net.weight({1, 128}, 0.1f)},
      {{"hidden_size", 16}});
  const TensorRef flat = net.apply("Reshape", {y, net.ints({6, 16})});
  return net.finish(net.dense(flat, 16, 5));
}
Model gru() {
  Net net(14);
  const TensorRef x = net.input("x", {6, 1, 8});
  const TensorRef y =
      net.apply("GRU", {x, net.weight({1, 48, 8}, 0.3f), net.weight({1, 48, 16}, 0.3f)},
                {{"hidden_size", 16}});
  return net.finish(net.dense(net.apply("Reshape", {y, net.ints({6, 16})}), 16, 5));
}

Model detector() {
  Net net(15);
  TensorRef x = net.apply("Relu", {net.conv(net.input("x", {1, 3, 16, 16}), 3, 8, 3, 1, 2)});
  const TensorRef boxes =
      net.apply("Transpose", {net.apply("Reshape", {net.conv(x, 8, 4, 1), net.ints({4, 64})})},
                {{"perm", std::vector<int64_t>{1, 0}}});
  const TensorRef scores =
      net.apply("Sigmoid", {net.apply("Reshape", {net.conv(x, 8, 1, 1), net.ints({64})})});
  const TensorRef best = net.apply("TopK", {scores, net.ints({5})}, {{"axis", -1}}, 2);
  const TensorRef chosen = net.apply("Gather", {boxes, net.also(1)});
  return net.finish(net.apply("Mul", {chosen, net.apply("Unsqueeze", {best, net.ints({1})})}));
}
Model amplified() {
  Net net(16);
  TensorRef x = net.input("x", {4, 32});
  x = net.apply("Tanh", {net.dense(x, 32, 32)});
  x = net.dense(x, 32, 32);
  const TensorRef centre = net.apply("ReduceMean", {x}, {{"axes", std::vector<int64_t>{-1}}});
  x = net.apply("Mul", {net.apply("Sub", {x, centre}), net.number(3)});
  return net.finish(net.apply("Div", {net.apply("Exp", {x}), net.number(3)}));
}
Model quantized() {
  Net net(17);
  const auto rounded = [&](const TensorRef& x, float scale) {
    const TensorRef step = net.number(scale);
    const TensorRef zero = net.constant(Array::of<int8_t>({}, {0}));
    return net.apply("DequantizeLinear",
                     {net.apply("QuantizeLinear", {x, step, zero}), step, zero});
  };
  TensorRef x = rounded(net.input("x", {4, 32}), 0.05f);
  x = net.apply("Relu", {net.dense(x, 32, 32)});
  return net.finish(net.dense(rounded(x, 0.04f), 32, 8));
}
Model norm_of_vectors() {
  Net net(18);
  TensorRef x = net.apply("Mul", {net.dense(net.input("x", {4, 32}), 32, 32), net.number(200)});
  const TensorRef length = net.apply("ReduceL2", {x}, {{"axes", std::vector<int64_t>{-1}}});
  return net.finish(net.dense(net.apply("Div", {x, length}), 32, 8));
}
Model chooser() {
  Net net(19);
  const TensorRef x = net.dense(net.input("x", {4, 32}), 32, 32);
  const TensorRef positive = net.apply("Greater", {x, net.number(0)});
  const TensorRef y = net.apply("Where", {positive, net.apply("Sin", {x}), net.apply("Cos", {x})});
  return net.finish(net.apply("Clip", {net.dense(y, 32, 16), net.number(-1), net.number(1)}));
}
Model in_if() {
  return graphsurgeon::parse_onnx_text((R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4, 32] x) => (float[4, 32] y) <float zero = {0}, float[32] w = {)" +
                                        [] {
                                          std::string values;
                                          for (int i = 0; i < 32; ++i)
                                            values += (i > 0 ? ", " : "") +
                                                      std::to_string(0.3 + 0.05 * i);
                                          return values;
                                        }() +
                                        R"(}> {
      [Mul_0] a = Mul(x, w)
      [ReduceMax_1] m = ReduceMax<keepdims = 0>(a)
      [Greater_2] c = Greater(m, zero)
      [If_3] b = If(c) <
        then_branch = t () => (float[4, 32] p) { [Sin_4] s = Sin(a) [Exp_5] e = Exp(s) [Mul_6] p = Mul(e, a) },
        else_branch = f () => (float[4, 32] q) { [Cos_7] q = Cos(a) }>
      [Tanh_8] y = Tanh(b)
    })")
                                           .c_str());
}
Model in_loop() {
  return graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4, 32] x) => (float[4, 32] y) <int64 n = {3}, bool go = {1}, float k = {0.9}> {
      [Sin_0] a = Sin(x)
      [Loop_1] b = Loop(n, go, a) <body = l (int64 i, bool c, float[4, 32] s) => (bool d, float[4, 32] r) {
        [Identity_2] d = Identity(c) [Mul_3] m = Mul(s, k) [Exp_4] e = Exp(m) [Tanh_5] r = Tanh(e) }>
      [Add_6] y = Add(b, a)
    })");
}

constexpr SmallNetwork kNetworks[] = {
    {"mlp_relu", mlp_relu, mlp_feed},
    {"mlp_tanh", mlp_tanh, mlp_feed},
    {"mlp_sigmoid", mlp_sigmoid, mlp_feed},
    {"conv_net", conv_net, image},
    {"residual_net", residual_net, image},
    {"mobile_net", mobile_net, image},
    {"dense_net", dense_net, image},
    {"unet", unet, image},
    {"norms", norms, image},
    {"transformer_fused", transformer_fused, tokens},
    {"transformer_spelled_out", transformer_spelled_out, tokens},
    {"embedding", embedding, ids},
    {"lstm", lstm, sequence},
    {"gru", gru, sequence},
    {"detector", detector, image},
    {"amplified", amplified, mlp_feed},
    {"quantized", quantized, mlp_feed},
    {"norm_of_vectors", norm_of_vectors, mlp_feed},
    {"chooser", chooser, mlp_feed},
    {"in_if", in_if, mlp_feed},
    {"in_loop", in_loop, mlp_feed},
};

}  // namespace

std::span<const SmallNetwork> small_networks() {
  return kNetworks;
}

}  // namespace polygraphy
