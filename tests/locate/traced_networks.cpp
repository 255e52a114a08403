#include "traced_networks.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "network_builder.h"

namespace polygraphy {
namespace {

constexpr int64_t kFloat = 1, kInt64 = 7, kToTheEnd = INT64_C(9223372036854775807);
constexpr int64_t kWidth = 16, kHeads = 2, kWindow = 4;

using Tensors = std::vector<TensorRef>;

// A network with sizes that it computes from shapes, operator by operator, as tracing in PyTorch
// writes them.
class Traced : public Net {
 public:
  using Net::Net;

  TensorRef whole(int64_t number) { return constant(Array::of<int64_t>({}, {number})); }
  TensorRef listed(const TensorRef& number) { return apply("Unsqueeze", {number, ints({0})}); }
  TensorRef size(const TensorRef& x, int64_t axis) {
    return apply("Gather", {apply("Shape", {x}), whole(axis)}, {{"axis", 0}});
  }
  TensorRef shape(const Tensors& sizes) {
    Tensors parts;
    for (const TensorRef& one : sizes) parts.push_back(listed(one));
    return apply("Concat", parts, {{"axis", 0}});
  }
  TensorRef view(const TensorRef& x, const Tensors& sizes) {
    return apply("Reshape", {x, shape(sizes)});
  }
  TensorRef transpose(const TensorRef& x, std::vector<int64_t> axes) {
    return apply("Transpose", {x}, {{"perm", std::move(axes)}});
  }
  // a // b of whole numbers.
  TensorRef floor_div(const TensorRef& a, float b) {
    const TensorRef quotient = apply("Div", {apply("Cast", {a}, {{"to", kFloat}}), number(b)});
    return apply("Cast", {apply("Floor", {quotient})}, {{"to", kInt64}});
  }
  TensorRef slice(const TensorRef& x, const TensorRef& begin, const TensorRef& end, int64_t axis) {
    return apply("Slice", {x, begin, end, ints({axis}), ints({1})});
  }
  // torch.roll() by -`shift`.
  TensorRef roll(const TensorRef& x, const TensorRef& shift, int64_t axis) {
    return apply("Concat",
                 {slice(x, shift, ints({kToTheEnd}), axis), slice(x, ints({0}), shift, axis)},
                 {{"axis", axis}});
  }
  TensorRef mlp(const TensorRef& x) {
    return linear(gelu(linear(spelled_out_norm(x, kWidth), kWidth, 4 * kWidth)), 4 * kWidth,
                  kWidth);
  }

  TensorRef attention(const TensorRef& x, const TensorRef& bias, const TensorRef* mask) {
    const TensorRef b = size(x, 0), t = size(x, 1), c = size(x, 2);
    const TensorRef head = floor_div(c, kHeads);
    TensorRef qkv = view(linear(x, kWidth, 3 * kWidth), {b, t, whole(3), whole(kHeads), head});
    qkv = transpose(qkv, {2, 0, 3, 1, 4});
    std::array<TensorRef, 3> parts;
    for (int64_t i = 0; i < 3; ++i)
      parts[static_cast<size_t>(i)] = apply("Gather", {qkv, whole(i)}, {{"axis", 0}});
    const TensorRef scale = apply("Pow", {apply("Cast", {head}, {{"to", kFloat}}), number(-0.5f)});
    TensorRef scores =
        apply("MatMul", {apply("Mul", {parts[0], scale}), transpose(parts[1], {0, 1, 3, 2})});
    scores = apply("Add", {scores, bias});
    if (mask) scores = masked(scores, *mask, b, t);
    const TensorRef mixed = apply("MatMul", {apply("Softmax", {scores}, {{"axis", -1}}), parts[2]});
    return linear(view(transpose(mixed, {0, 2, 1, 3}), {b, t, c}), kWidth, kWidth);
  }

 private:
  TensorRef masked(const TensorRef& scores, const TensorRef& mask, const TensorRef& b,
                   const TensorRef& t) {
    const TensorRef windows = size(mask, 0), heads = whole(kHeads);
    const TensorRef apart = view(scores, {apply("Div", {b, windows}), windows, heads, t, t});
    const TensorRef wide = apply("Unsqueeze", {apply("Unsqueeze", {mask, ints({1})}), ints({0})});
    return view(apply("Add", {apart, wide}), {b, heads, t, t});
  }
};

Model bert() {
  Traced net(61);
  const TensorRef ids = net.input("ids", {1, 12}, DataType::kInt64);
  const TensorRef mask = net.input("mask", {1, 12}, DataType::kInt64);
  std::vector<int64_t> places(32);
  for (size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int64_t>(i);
  const TensorRef all = net.constant(Array::of<int64_t>({1, 32}, std::span<const int64_t>(places)));
  const TensorRef position = net.slice(all, net.ints({0}), net.listed(net.size(ids, 1)), 1);
  TensorRef x = net.apply("Add", {net.apply("Gather", {net.weight({50, kWidth}, 1), ids}),
                                  net.apply("Gather", {net.weight({32, kWidth}, 1), position})});
  x = net.spelled_out_norm(x, kWidth);
  TensorRef bias = net.apply("Unsqueeze", {mask, net.ints({1})});
  bias = net.apply("Cast", {net.apply("Unsqueeze", {bias, net.ints({2})})}, {{"to", kFloat}});
  bias = net.apply("Mul", {net.apply("Sub", {net.number(1), bias}), net.number(-1e4f)});
  for (int i = 0; i < 2; ++i) {
    x = net.apply("Add", {x, net.attention(net.spelled_out_norm(x, kWidth), bias, nullptr)});
    x = net.apply("Add", {x, net.mlp(x)});
  }
  return net.finish(net.spelled_out_norm(x, kWidth));
}

ArrayMap masked_ids(int64_t sample) {
  std::vector<int64_t> ids, mask;
  for (int64_t i = 0; i < 12; ++i) {
    ids.push_back((i * 7 + sample * 3) % 50);
    mask.push_back(i < 9 ? 1 : 0);
  }
  return {{"ids", Array::of<int64_t>({1, 12}, std::span<const int64_t>(ids))},
          {"mask", Array::of<int64_t>({1, 12}, std::span<const int64_t>(mask))}};
}

// -100 between regions that the shift has brought together.
TensorRef shift_mask(Traced& net, const TensorRef& h, const TensorRef& w, const TensorRef& nh,
                     const TensorRef& nw) {
  const auto region = [&](const TensorRef& size) {
    const TensorRef place = net.apply("Range", {net.whole(0), size, net.whole(1)});
    const TensorRef far = net.apply("Sub", {size, net.whole(kWindow)});
    const TensorRef cut = net.apply("Sub", {size, net.whole(kWindow / 2)});
    const auto from = [&](const TensorRef& begin) {
      return net.apply("Cast", {net.apply("GreaterOrEqual", {place, begin})}, {{"to", kFloat}});
    };
    return net.apply("Add", {from(far), from(cut)});
  };
  const TensorRef rows = net.apply("Unsqueeze", {region(h), net.ints({1})});
  const TensorRef columns = net.apply("Unsqueeze", {region(w), net.ints({0})});
  const TensorRef image = net.apply("Add", {net.apply("Mul", {rows, net.number(3)}), columns});
  const TensorRef side = net.whole(kWindow);
  const TensorRef cut = net.transpose(net.view(image, {nh, side, nw, side}), {0, 2, 1, 3});
  const TensorRef flat = net.view(cut, {net.apply("Mul", {nh, nw}), net.whole(kWindow * kWindow)});
  const TensorRef apart = net.apply("Sub", {net.apply("Unsqueeze", {flat, net.ints({1})}),
                                            net.apply("Unsqueeze", {flat, net.ints({2})})});
  const TensorRef same = net.apply("Equal", {apart, net.number(0)});
  return net.apply("Where", {same, net.number(0), net.number(-100)});
}

TensorRef position_bias(Traced& net) {
  constexpr int64_t kSpan = 2 * kWindow - 1, kTokens = kWindow * kWindow;
  std::vector<int64_t> index;
  for (int64_t a = 0; a < kTokens; ++a) {
    for (int64_t b = 0; b < kTokens; ++b) {
      const int64_t rows = a / kWindow - b / kWindow + kWindow - 1;
      index.push_back(rows * kSpan + a % kWindow - b % kWindow + kWindow - 1);
    }
  }
  const auto count = static_cast<int64_t>(index.size());
  const TensorRef places =
      net.constant(Array::of<int64_t>({count}, std::span<const int64_t>(index)));
  const TensorRef bias = net.apply("Gather", {net.weight({kSpan * kSpan, kHeads}, 0.5f), places});
  const TensorRef square = net.apply("Reshape", {bias, net.ints({kTokens, kTokens, -1})});
  return net.apply("Unsqueeze", {net.transpose(square, {2, 0, 1}), net.ints({0})});
}

// Attention in windows, every other time shifted by half of one.
TensorRef swin_layer(Traced& net, const TensorRef& x, bool shifts) {
  TensorRef y = net.spelled_out_norm(x, kWidth);
  const TensorRef b = net.size(y, 0), h = net.size(y, 1), w = net.size(y, 2);
  const TensorRef nh = net.floor_div(h, kWindow), nw = net.floor_div(w, kWindow);
  const TensorRef side = net.whole(kWindow), width = net.whole(kWidth);
  const TensorRef mask = shifts ? shift_mask(net, h, w, nh, nw) : TensorRef();
  for (int64_t axis = 1; shifts && axis < 3; ++axis) y = net.roll(y, net.ints({kWindow / 2}), axis);
  y = net.transpose(net.view(y, {b, nh, side, nw, side, net.size(y, 3)}), {0, 1, 3, 2, 4, 5});
  const TensorRef total = net.apply("Mul", {net.apply("Mul", {b, nh}), nw});
  y = net.view(y, {total, net.whole(kWindow * kWindow), width});
  y = net.attention(y, position_bias(net), shifts ? &mask : nullptr);
  y = net.transpose(net.view(y, {b, nh, nw, side, side, width}), {0, 1, 3, 2, 4, 5});
  y = net.view(y, {b, h, w, net.size(y, 5)});
  for (int64_t axis = 1; shifts && axis < 3; ++axis) {
    const TensorRef back = net.apply("Sub", {net.size(y, axis), net.whole(kWindow / 2)});
    y = net.roll(y, net.listed(back), axis);
  }
  const TensorRef sum = net.apply("Add", {x, y});
  return net.apply("Add", {sum, net.mlp(sum)});
}

Model swin() {
  Traced net(62);
  TensorRef x = net.conv(net.input("x", {1, 3, 16, 16}), 3, kWidth, 3, 1, 2);
  x = net.spelled_out_norm(net.transpose(x, {0, 2, 3, 1}), kWidth);
  x = swin_layer(net, swin_layer(net, x, false), true);
  x = net.apply("ReduceMean", {net.spelled_out_norm(x, kWidth)},
                {{"axes", std::vector<int64_t>{1, 2}}, {"keepdims", 0}});
  return net.finish(net.linear(x, kWidth, 10));
}

ArrayMap picture(int64_t sample) {
  Random random(static_cast<uint64_t>(sample) + 3000);
  return {{"x", random.numbers({1, 3, 16, 16}, 1)}};
}

constexpr SmallNetwork kNetworks[] = {{"bert", bert, masked_ids}, {"swin", swin, picture}};

}  // namespace

std::span<const SmallNetwork> traced_networks() {
  return kNetworks;
}

}  // namespace polygraphy
