#include "hard_networks.h"

#include <cmath>
#include <string>
#include <vector>

#include "base/arrays/convert.h"
#include "base/error.h"
#include "deployed_networks.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "network_builder.h"

namespace polygraphy {
namespace {

constexpr int64_t kFloat = 1, kInt32 = 6, kInt64 = 7, kHalf = 10;

ArrayMap rows(int64_t sample) {
  Random random(static_cast<uint64_t>(sample) + 2000);
  return {{"x", random.numbers({4, 32}, 1 + 0.5f * static_cast<float>(sample))}};
}

TensorRef whole(Net& net, int64_t number) {
  return net.constant(Array::of<int64_t>({}, {number}));
}

// a // b and a % b of sizes, as tracing writes them.
Model traced_shapes() {
  Net net(31);
  const TensorRef x = net.input("x", {4, 32});
  const TensorRef y = net.apply("Relu", {net.dense(x, 32, 64)});
  const TensorRef shape = net.apply("Shape", {y});
  const TensorRef width = net.apply("Gather", {shape, whole(net, 1)});
  const TensorRef quotient =
      net.apply("Div", {net.apply("Cast", {width}, {{"to", kFloat}}), net.number(4)});
  const TensorRef part = net.apply("Cast", {net.apply("Floor", {quotient})}, {{"to", kInt64}});
  const TensorRef sizes = net.apply(
      "Concat", {net.ints({-1}), net.ints({4}), net.apply("Unsqueeze", {part, net.ints({0})})},
      {{"axis", 0}});
  const TensorRef cut = net.apply("Reshape", {y, sizes});
  const TensorRef mean =
      net.apply("ReduceMean", {cut}, {{"axes", std::vector<int64_t>{1}}, {"keepdims", 0}});
  return net.finish(net.apply("Tanh", {net.linear(mean, 16, 8)}));
}

// Computed from numbers that are fed: not folded, but exact all the same.
Model whole_numbers() {
  Net net(32);
  const TensorRef x = net.input("x", {4, 32});
  const TensorRef wide =
      net.apply("Mul", {net.apply("Round", {net.dense(x, 32, 32)}), net.number(64)});
  const TensorRef part = net.apply("Div", {wide, net.number(4)});
  const TensorRef index = net.apply("Cast", {net.apply("Floor", {part})}, {{"to", kInt32}});
  const TensorRef back = net.apply("Cast", {index}, {{"to", kFloat}});
  return net.finish(net.dense(net.apply("Mul", {back, net.number(0.01f)}), 32, 8));
}

Model labels() {
  Net net(33);
  const TensorRef x = net.apply("Tanh", {net.dense(net.input("x", {4, 32}), 32, 32)});
  return net.finish(net.apply("ArgMax", {net.apply("Softmax", {net.dense(x, 32, 20)})},
                              {{"axis", -1}, {"keepdims", 0}}));
}

Model next_token() {
  Net net(34);
  const TensorRef x = net.apply("Tanh", {net.dense(net.input("x", {4, 32}), 32, 32)});
  const TensorRef label =
      net.apply("ArgMax", {net.dense(x, 32, 20)}, {{"axis", -1}, {"keepdims", 0}});
  const TensorRef word = net.apply("Gather", {net.weight({20, 32}, 1), label});
  return net.finish(net.apply("Tanh", {net.dense(net.apply("Add", {word, x}), 32, 8)}));
}

Model casts() {
  Net net(35);
  const TensorRef x =
      net.apply("Mul", {net.dense(net.input("x", {4, 32}), 32, 32), net.number(20)});
  const TensorRef cut = net.apply("Cast", {x}, {{"to", kInt32}});
  const TensorRef up = net.apply("Add", {cut, net.constant(Array::of<int32_t>({}, {3}))});
  return net.finish(net.apply("Mul", {up, net.constant(Array::of<int32_t>({}, {2}))}));
}

Model best_five() {
  Net net(36);
  const TensorRef x = net.apply("Sigmoid", {net.dense(net.input("x", {4, 32}), 32, 64)});
  net.apply("TopK", {x, net.ints({5})}, {{"axis", -1}}, 2);
  const TensorRef chosen = net.also(1);
  const TensorRef words = net.apply("Gather", {net.weight({64, 16}, 1), chosen});
  return net.finish(net.apply("Tanh", {net.linear(words, 16, 4)}));
}

Model boxes() {
  Net net(37);
  const TensorRef x = net.apply("Tanh", {net.dense(net.input("x", {4, 32}), 32, 32)});
  const TensorRef flat = net.apply("Reshape", {x, net.ints({1, 32, 4})});
  const TensorRef corner = net.apply("Mul", {flat, net.number(10)});
  const TensorRef scores =
      net.apply("Reshape", {net.apply("Sigmoid", {net.dense(x, 32, 8)}), net.ints({1, 1, 32})});
  const TensorRef kept =
      net.apply("NonMaxSuppression",
                {corner, scores, net.ints({6}), net.constant(Array::of<float>({1}, {0.4f}))},
                {{"center_point_box", 1}});
  const TensorRef index = net.apply("Gather", {kept, whole(net, 2)}, {{"axis", 1}});
  const TensorRef chosen = net.apply("Gather", {corner, index}, {{"axis", 1}});
  return net.finish(net.apply("Mul", {chosen, net.number(0.1f)}));
}

// Most numbers are near -1, where the logarithm of a sum has its tail.
Model tiny_numbers() {
  Net net(38);
  const TensorRef x = net.dense(net.input("x", {4, 32}), 32, 32);
  const TensorRef chance = net.apply("Softmax", {net.apply("Mul", {x, net.number(12)})});
  const TensorRef log = net.apply("Log", {net.apply("Add", {chance, net.number(1e-11f)})});
  const TensorRef loss =
      net.apply("Mul", {net.apply("Add", {log, net.number(1)}), net.number(0.5f)});
  return net.finish(net.dense(loss, 32, 8));
}

Model tiny_magnitudes() {
  Net net(39);
  TensorRef x = net.apply("Mul", {net.input("x", {4, 32}), net.number(3e-7f)});
  x = net.apply("Tanh", {net.apply("MatMul", {x, net.weight({32, 32}, 0.2f)})});
  x = net.apply("Mul", {net.apply("MatMul", {x, net.weight({32, 16}, 0.2f)}), net.number(2)});
  return net.finish(net.apply("Add", {x, net.weight({16}, 1e-8f)}));
}

TensorRef quantized(Net& net, const TensorRef& x, float scale, uint8_t zero) {
  const TensorRef step = net.number(scale), middle = net.constant(Array::of<uint8_t>({}, {zero}));
  return net.apply("DequantizeLinear",
                   {net.apply("QuantizeLinear", {x, step, middle}), step, middle});
}

Model qdq() {
  Net net(40);
  TensorRef x = quantized(net, net.input("x", {4, 32}), 0.04f, 120);
  x = net.apply("Relu", {net.dense(x, 32, 32)});
  x = quantized(net, x, 0.02f, 3);
  x = net.apply("Tanh", {net.dense(x, 32, 32)});
  x = quantized(net, x, 0.01f, 128);
  return net.finish(net.dense(x, 32, 8));
}

Model dynamic_quantization() {
  Net net(41);
  const TensorRef x = net.apply("Tanh", {net.dense(net.input("x", {4, 32}), 32, 32)});
  const TensorRef q = net.apply("DynamicQuantizeLinear", {x}, {}, 3);
  const TensorRef scale = net.also(1), zero = net.also(2);
  std::vector<int8_t> values;
  for (int i = 0; i < 32 * 16; ++i) values.push_back(static_cast<int8_t>(i * 37 % 127 - 63));
  const TensorRef w = net.constant(Array::of<int8_t>({32, 16}, std::span<const int8_t>(values)));
  const TensorRef sums = net.apply("MatMulInteger", {q, w, zero});
  const TensorRef y = net.apply("Mul", {net.apply("Cast", {sums}, {{"to", kFloat}}), scale});
  return net.finish(
      net.apply("Add", {net.apply("Mul", {y, net.number(0.01f)}), net.weight({16}, 0.3f)}));
}

Model four_bits() {
  Net net(42);
  const TensorRef x = net.apply("Tanh", {net.dense(net.input("x", {4, 32}), 32, 32)});
  std::vector<uint8_t> values;
  for (int i = 0; i < 24 * 16; ++i) values.push_back(static_cast<uint8_t>(i * 91 % 256));
  const TensorRef w =
      net.constant(Array::of<uint8_t>({24, 1, 16}, std::span<const uint8_t>(values)));
  const TensorRef y =
      net.apply_of("com.microsoft", "MatMulNBits", {x, w, net.weight({24}, 0.02f, 0.1f)},
                   {{"K", 32}, {"N", 24}, {"bits", 4}, {"block_size", 32}});
  return net.finish(net.apply("Tanh", {net.apply("Add", {y, net.weight({24}, 0.1f)})}));
}

TensorRef half_weight(Net& net, Shape shape, float scale) {
  return net.constant(convert(net.weight(std::move(shape), scale)->values(), DataType::kFloat16));
}

TensorRef half_linear(Net& net, const TensorRef& x, int64_t in, int64_t out) {
  const TensorRef w = half_weight(net, {in, out}, 1 / std::sqrt(static_cast<float>(in)));
  return net.apply("Add", {net.apply("MatMul", {x, w}), half_weight(net, {out}, 0.2f)});
}

Model half() {
  Net net(43);
  TensorRef x = net.apply("Cast", {net.input("x", {4, 32})}, {{"to", kHalf}});
  x = net.apply("Tanh", {half_linear(net, x, 32, 32)});
  x = net.apply("Sigmoid", {half_linear(net, x, 32, 32)});
  return net.finish(net.apply("Cast", {half_linear(net, x, 32, 8)}, {{"to", kFloat}}));
}

// The label is chosen among numbers that were rounded, then widened: there are ties.
Model half_decoder() {
  Net net(44);
  TensorRef x = net.apply("Cast", {net.input("x", {4, 32})}, {{"to", kHalf}});
  x = net.apply("Tanh", {half_linear(net, x, 32, 32)});
  const TensorRef logits = net.apply("Cast", {half_linear(net, x, 32, 600)}, {{"to", kFloat}});
  return net.finish(net.apply("ArgMax", {logits}, {{"axis", -1}, {"keepdims", 0}}));
}

Model positions() {
  Net net(45);
  const TensorRef x = net.apply("Tanh", {net.dense(net.input("x", {4, 32}), 32, 32)});
  const TensorRef mask = net.apply("Greater", {x, net.number(0.3f)});
  const TensorRef count =
      net.apply("CumSum", {net.apply("Cast", {mask}, {{"to", kInt64}}), whole(net, 1)});
  const TensorRef words = net.apply("Gather", {net.weight({40, 8}, 1), count});
  return net.finish(net.apply("ReduceMean", {words}, {{"axes", std::vector<int64_t>{1}}}));
}

Model sequences() {
  return graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4, 32] x) => (float[4, 32] y) <int64 zero = {0}, int64 one = {1}> {
      [Sin_0] a = Sin(x)
      [Exp_1] b = Exp(a)
      [SequenceConstruct_2] s = SequenceConstruct(a, b)
      [SequenceAt_3] c = SequenceAt(s, one)
      [SequenceAt_4] d = SequenceAt(s, zero)
      [Mul_5] e = Mul(c, d)
      [Tanh_6] y = Tanh(e)
    })");
}

// Of no iterations, so its scanned output is empty.
Model idle_loop() {
  return graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4, 32] x) => (float[4, 32] y, float[K, 4, 32] z) <int64 n = {0}, bool go = {1}, float k = {0.9}> {
      [Sin_0] a = Sin(x)
      [Loop_1] b, z = Loop(n, go, a) <body = l (int64 i, bool c, float[4, 32] s) => (bool d, float[4, 32] r, float[4, 32] t) {
        [Identity_2] d = Identity(c) [Mul_3] r = Mul(s, k) [Tanh_4] t = Tanh(r) }>
      [Exp_5] e = Exp(b)
      [Add_6] y = Add(e, a)
    })");
}

Model constant_output() {
  return graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4, 32] x) => (float[4, 32] y, float[2] z) <float k = {0.9}> {
      [Constant_0] z = Constant<value = float[2] {1, 2}>()
      [Sin_1] a = Sin(x)
      [Mul_2] m = Mul(a, k)
      [Exp_3] e = Exp(m)
      [Tanh_4] y = Tanh(e)
    })");
}

constexpr SmallNetwork kNetworks[] = {
    {"traced_shapes", traced_shapes, rows},
    {"whole_numbers", whole_numbers, rows},
    {"labels", labels, rows},
    {"next_token", next_token, rows},
    {"casts", casts, rows},
    {"best_five", best_five, rows},
    {"boxes", boxes, rows},
    {"tiny_numbers", tiny_numbers, rows},
    {"tiny_magnitudes", tiny_magnitudes, rows},
    {"qdq", qdq, rows},
    {"dynamic_quantization", dynamic_quantization, rows},
    {"four_bits", four_bits, rows},
    {"half", half, rows},
    {"half_decoder", half_decoder, rows},
    {"positions", positions, rows},
    {"sequences", sequences, rows},
    {"idle_loop", idle_loop, rows},
    {"constant_output", constant_output, rows},
};

}  // namespace

std::span<const SmallNetwork> hard_networks() {
  return kNetworks;
}

std::vector<SmallNetwork> all_networks() {
  std::vector<SmallNetwork> all(small_networks().begin(), small_networks().end());
  all.insert(all.end(), std::begin(kNetworks), std::end(kNetworks));
  const std::span<const SmallNetwork> deployed = deployed_networks();
  all.insert(all.end(), deployed.begin(), deployed.end());
  return all;
}

const SmallNetwork& network_named(const std::string& name) {
  static const std::vector<SmallNetwork> all = all_networks();
  for (const SmallNetwork& one : all) {
    if (one.name == name) return one;
  }
  throw Error("no network " + name);
}

}  // namespace polygraphy
