#include "polygraphy/data/inputs/constraints/input_sizes.h"

#include <gtest/gtest.h>

#include <string>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

// Of the inputs that are not given: "x:[1,2] y:[3]".
std::string sizes_of(const std::string& text, const OrderedMap<Shape>& given = {},
                     std::string* said = nullptr) {
  const auto make = [&] { return graphsurgeon::parse_onnx_text(text); };
  OrderedMap<graphsurgeon::DimList> open;
  const graphsurgeon::Model model = make();
  for (const auto& input : model.graph->inputs()) {
    const std::string name(input->name());
    if (!given.contains(name)) open.set(name, *input->shape());
  }
  Logger log([&](Severity, std::string_view message) {
    if (said != nullptr) said->append(message);
  });
  std::string result;
  for (const auto& [name, shape] : input_sizes(make, open, given, log)) {
    if (given.contains(name)) continue;
    result += (result.empty() ? "" : " ") + name + ":[";
    for (size_t i = 0; i < shape.size(); ++i)
      result += (i == 0 ? "" : ",") + std::to_string(shape[i]);
    result += "]";
  }
  return result;
}

TEST(InputSizes, AreOneWhereNothingNeedsMore) {
  EXPECT_EQ(sizes_of("g (float[N,3] x) => (float[N,3] y) { y = Neg(x) }"), "x:[1,3]");
}

TEST(InputSizes, ReflectedPadsAreShorterThanTheirAxis) {
  std::string said;
  EXPECT_EQ(sizes_of(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N,L] x) => (float[N,M] y) <int64[4] pads = {0, 2, 0, 3}> {
      [mirror] y = Pad <mode = "reflect"> (x, pads)
    })",
                     {}, &said),
            "x:[1,4]");
  EXPECT_NE(said.find("Dimension 'L' is 4: reflected pads, node 'mirror' (Pad), which needs 4 in "
                      "axis 1 of 'x'"),
            std::string::npos)
      << said;
}

TEST(InputSizes, ASignalHasTheLengthOfAFrame) {
  EXPECT_EQ(sizes_of(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[B,L,1] x, float[256] window) => (float[B,F,129,2] y) <int64 step = {64}> {
      y = STFT(x, step, window)
    })",
                     {{"window", {256}}}),
            "x:[1,256,1]");
}

// (L - 5) / 3 + 1 >= 20, rounded down.
TEST(InputSizes, AreTheLeastThroughWhateverLiesBetween) {
  EXPECT_EQ(sizes_of(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1,1,L] x, float[1,1,5] k, float[1,1,20] w) => (float[1,1,M] y) {
      first = Conv <strides = [3]> (x, k)
      y = Conv(first, w)
    })",
                     {{"k", {1, 1, 5}}, {"w", {1, 1, 20}}}),
            "x:[1,1,62]");
}

// One element more at the input changes nothing behind the second stride.
TEST(InputSizes, ReachThroughStridesOneBehindTheOther) {
  std::string said;
  EXPECT_EQ(sizes_of(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N,3,H,W] x) => (float[N,3,A,B] y) {
      a = MaxPool <kernel_shape = [2,2], strides = [2,2]> (x)
      b = MaxPool <kernel_shape = [2,2], strides = [2,2]> (a)
      c = MaxPool <kernel_shape = [2,2], strides = [2,2]> (b)
      d = MaxPool <kernel_shape = [2,2], strides = [2,2]> (c)
      [last] y = MaxPool <kernel_shape = [3,2], strides = [2,2]> (d)
    })",
                     {}, &said),
            "x:[1,3,48,32]");
  EXPECT_NE(said.find("Dimension 'H' is 48: kernel, node 'last' (MaxPool)"), std::string::npos)
      << said;
}

// The padded stride makes 1 of 1, and the decoder 2 of that.
// As in readers of text: up to 32 elements, five padded strides leave one.
TEST(InputSizes, ReachThroughPaddedStrides) {
  EXPECT_EQ(sizes_of(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1,1,L] x, float[1,1,3] k) => (float[1,1,M] y) {
      a = Conv <strides = [2], pads = [1, 1]> (x, k)
      b = Conv <strides = [2], pads = [1, 1]> (a, k)
      c = Conv <strides = [2], pads = [1, 1]> (b, k)
      d = Conv <strides = [2], pads = [1, 1]> (c, k)
      e = Conv <strides = [2], pads = [1, 1]> (d, k)
      y = MaxPool <kernel_shape = [2]> (e)
    })",
                     {{"k", {1, 1, 3}}}),
            "x:[1,1,33]");
}

TEST(InputSizes, MakeAnEncoderFitItsDecoder) {
  std::string said;
  EXPECT_EQ(sizes_of(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N,3,H,W] x, float[3,3,3,3] k) => (float[N,6,A,B] y)
    <float[4] scales = {1.0, 1.0, 2.0, 2.0}> {
      half = Conv <kernel_shape = [3,3], strides = [2,2], pads = [1,1,1,1]> (x, k)
      whole = Resize (half, , scales)
      [join] y = Concat <axis = 1> (x, whole)
    })",
                     {{"k", {3, 3, 3, 3}}}, &said),
            "x:[1,3,8,8]");
  EXPECT_NE(said.find("Dimension 'W' is 8: with shorter ones, operands do not fit together:"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("(Concat)"), std::string::npos) << said;
}

TEST(InputSizes, OneNameIsOneLengthAndTheUsersStays) {
  const std::string text = R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N] a, float[N] b, float[M] c) => (float[K] y, float[N] z, float[M] u)
    <int64[2] pads = {6, 0}> {
      y = Pad <mode = "reflect"> (a, pads)
      z = Neg(b)
      u = Neg(c)
    })";
  EXPECT_EQ(sizes_of(text), "a:[7] b:[7] c:[1]");
  EXPECT_EQ(sizes_of(text, {{"b", {3}}}), "a:[3] c:[1]");
}

TEST(InputSizes, ConstantIndicesAndInnerGraphsCount) {
  EXPECT_EQ(sizes_of(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (bool which, float[N] x) => (float[K] y) {
      y = If (which) <
        then_branch = then () => (float[A] p) <int64[2] i = {2, 4}> { p = Gather(x, i) },
        else_branch = other () => (float[B] q) <int64[1] i = {-7}> { q = Gather(x, i) }>
    })",
                     {{"which", {}}}),
            "x:[7]");
}

// Two elements and no open dimension that changes them.
TEST(InputSizes, WhatNothingCanMeetIsLeftAlone) {
  EXPECT_EQ(sizes_of(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x, float[N] other) => (float[K] y, float[N] z) <int64[2] pads = {6, 0}> {
      y = Pad <mode = "reflect"> (x, pads)
      z = Neg(other)
    })"),
            "x:[2] other:[1]");
}

// Operands of constant shapes do not fit together, whatever the input.
TEST(InputSizes, WhatNoLengthFitsIsLeftAlone) {
  EXPECT_EQ(sizes_of(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N,M] x) => (float[N,M] y, float[K] z)
    <float[2] two = {1.0, 2.0}, float[3] three = {1.0, 2.0, 3.0}> {
      y = Neg(x)
      z = Add(two, three)
    })"),
            "x:[1,1]");
}

}  // namespace
}  // namespace polygraphy
