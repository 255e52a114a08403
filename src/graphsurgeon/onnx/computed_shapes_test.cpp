// Shapes that a model computes, with open dimensions.

#include <gtest/gtest.h>

#include <string>
#include <unordered_map>

#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace graphsurgeon {
namespace {

// The shapes of the tensors by name, after inference on the nodes of a graph.
class ComputedShapes : public ::testing::Test {
 protected:
  // `graph`: as in "(float[N] x) => (float[M] y) { … }".
  void infer(const std::string& graph) {
    model = parse_onnx_text("<ir_version: 8, opset_import: [\"\" : 17]> g " + graph);
    polygraphy::Logger silent;
    const InferResult result = infer_shapes(model, {}, silent);
    EXPECT_TRUE(result.problems.empty()) << result.problems.front();
    tensors = model.graph->tensor_map();
  }
  std::string shape(std::string_view name) {
    const auto dims = tensors.find(name)->second->shape();
    if (!dims) return "unknown";
    std::string text;
    for (const Dim& dim : *dims) {
      text += text.empty() ? "" : ", ";
      text += dim.has_value()       ? std::to_string(dim.value())
              : dim.param().empty() ? "?"
                                    : dim.param();
    }
    return text;
  }
  Model model;
  std::unordered_map<std::string_view, Tensor*> tensors;
};

// As tracing writes x.view(batch, tokens, heads, width // heads).
TEST_F(ComputedShapes, DivisionsInFloatsAreFollowed) {
  infer(R"((float[N, T, 96] x) => (float[?, ?, ?, ?] y)
    <int64 zero = {0}, int64 one = {1}, int64 two = {2}, int64[1] at = {0}, int64[1] heads = {3},
     float parts = {3.0}> {
      s = Shape (x)  n = Gather (s, zero)  t = Gather (s, one)  w = Gather (s, two)
      f = Cast <to = 1> (w)  q = Div (f, parts)  d = Floor (q)  head = Cast <to = 7> (d)
      n1 = Unsqueeze (n, at)  t1 = Unsqueeze (t, at)  h1 = Unsqueeze (head, at)
      all = Concat <axis = 0> (n1, t1, heads, h1)
      v = Reshape (x, all)
      y = Transpose <perm = [0, 2, 1, 3]> (v)
    })");
  EXPECT_EQ(shape("v"), "N, T, 3, 32");
  EXPECT_EQ(shape("y"), "N, 3, T, 32");
}

TEST_F(ComputedShapes, ReshapeGetsFormulas) {
  infer(R"((float[N, T, 4] x) => (float[?] z)
    <int64[2] rows = {-1, 4}, int64[2] halves = {-1, 8}, int64[1] flat = {-1}> {
      a = Reshape (x, rows)  b = Reshape (x, halves)  c = Flatten (x)  z = Reshape (x, flat)
    })");
  EXPECT_EQ(shape("a"), "N*T, 4");
  EXPECT_EQ(shape("b"), "floor(N*T/2), 8");
  EXPECT_EQ(shape("c"), "N, 4*T");
  EXPECT_EQ(shape("z"), "4*N*T");
}

TEST_F(ComputedShapes, WindowsMoveOverOpenSizes) {
  infer(R"((float[1, 3, H, W] x) => (float[?, ?, ?, ?] y)
    <float[8, 3, 3, 3] w, float[8, 4, 2, 2] v> {
      a = Conv <strides = [2, 2], pads = [1, 1, 1, 1]> (x, w)
      b = Conv <strides = [2, 2], auto_pad = "SAME_UPPER"> (x, w)
      c = MaxPool <kernel_shape = [3, 3], strides = [2, 2], ceil_mode = 1> (x)
      d = MaxPool <kernel_shape = [2, 2], strides = [3, 3], ceil_mode = 1, pads = [0, 0, 1, 1]> (x)
      e = ConvTranspose <strides = [2, 2]> (a, v)
      y = GlobalAveragePool (e)
    })");
  EXPECT_EQ(shape("a"), "1, 8, floor(H/2 + 1/2), floor(W/2 + 1/2)");
  EXPECT_EQ(shape("b"), shape("a"));
  EXPECT_EQ(shape("c"), "1, 3, floor(H/2), floor(W/2)");
  // Depends on whether a window begins in the padding.
  EXPECT_EQ(shape("d").find("unk__"), 6U);
  EXPECT_EQ(shape("e"), "1, 4, 2*floor(H/2 + 1/2), 2*floor(W/2 + 1/2)");
}

TEST_F(ComputedShapes, SlicesOfOpenSizes) {
  infer(R"((float[N] x, int64[1] at) => (float[?] y)
    <int64[1] zero = {0}, int64[1] three = {3}, int64[1] end = {9223372036854775807},
     int64[1] last = {-1}, int64[1] two = {2}, int64[1] begin = {-9223372036854775807}> {
      a = Slice (x, three, end)  b = Slice (x, zero, three)  all = Concat <axis = 0> (a, b)
      c = Slice (x, last, end)   d = Slice (x, zero, end, zero, two)
      r = Slice (x, last, begin, zero, last)  u = Slice (x, at, end)
      y = Identity (all)
    })");
  EXPECT_EQ(shape("a"), "N - Min(3, N)");
  EXPECT_EQ(shape("b"), "Min(3, N)");
  EXPECT_EQ(shape("all"), "N");
  EXPECT_EQ(shape("c"), "Min(1, N)");
  EXPECT_EQ(shape("d"), "floor(N/2 + 1/2)");
  EXPECT_EQ(shape("r"), "N");
  EXPECT_TRUE(shape("u").starts_with("unk__"));
}

TEST_F(ComputedShapes, PadsAreFollowedThroughMatrices) {
  // As torch exports F.pad: pairs from the last dimension on, reversed.
  infer(R"((float[N, T] x) => (float[?, ?] y)
    <int64[4] pairs = {1, 2, 0, 0}, int64[2] by_two = {-1, 2}, int64[1] last = {-1},
     int64[1] begin = {-9223372036854775807}, int64[1] zero = {0}, int64[1] flat = {-1}> {
      m = Reshape (pairs, by_two)  r = Slice (m, last, begin, zero, last)
      t = Transpose <perm = [1, 0]> (r)  p = Reshape (t, flat)
      y = Pad (x, p)
    })");
  EXPECT_EQ(shape("y"), "N, T + 3");
}

TEST_F(ComputedShapes, RangesTilesAndExpansions) {
  infer(R"((float[N, 1] x) => (int64[?] y)
    <int64 zero = {0}, int64 one = {1}, int64[2] twice = {2, 3}, int64[1] k = {5}, int64 two = {2},
     int64[1] at = {0}> {
      s = Shape (x)  n = Gather (s, zero)  y = Range (zero, n, one)  e = Range (zero, n, two)
      t = Tile (x, twice)  n1 = Unsqueeze (n, at)  w = Concat <axis = 0> (n1, k)
      v = Expand (x, w)  f = ConstantOfShape (w)
    })");
  EXPECT_EQ(shape("y"), "N");
  EXPECT_EQ(shape("e"), "floor(N/2 + 1/2)");
  EXPECT_EQ(shape("t"), "2*N, 3");
  EXPECT_EQ(shape("v"), "N, 5");
  EXPECT_EQ(shape("f"), "N, 5");
}

TEST_F(ComputedShapes, BroadcastingKeepsTheSizeThatFollows) {
  infer(R"((float[N] x, float[M] z) => (float[?] y)
    <float[512] table, int64[1] zero = {0}> {
      s = Shape (x)  part = Slice (table, zero, s)  y = Add (x, part)  u = Add (x, z)
    })");
  EXPECT_EQ(shape("part"), "Min(512, N)");
  EXPECT_EQ(shape("y"), "N");
  EXPECT_EQ(shape("u"), "Broadcast(M, N)");
}

TEST_F(ComputedShapes, RanksAreKnownWithoutAxes) {
  infer(R"((float[2, 3] x, int64[1] axes) => (float[?, ?] y) { y = ReduceSum (x, axes) })");
  EXPECT_EQ(shape("y").find("unk__"), 0U);
}

TEST_F(ComputedShapes, NamesOfTheModelAreFormulas) {
  infer(R"((float[N, "past + 1"] x, float[N, past] old, float[N, 1] now) => (float[?, ?] y) {
      y = Concat <axis = 1> (old, now)  z = Add (x, y)
    })");
  EXPECT_EQ(shape("y"), "N, past + 1");
  EXPECT_EQ(shape("z"), "N, past + 1");
}

}  // namespace
}  // namespace graphsurgeon
