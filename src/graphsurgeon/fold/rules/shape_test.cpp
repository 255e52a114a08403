#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

Folded shape_of(const std::string& type, const std::string& node) {
  return fold("<ir_version: 8, opset_import: [\"\" : 17]> g (float" + type +
              " x) => (int64[M] y) { y = " + node + " }");
}

TEST(Shape, OfKnownDimensions) {
  EXPECT_EQ(shape_of("[2, 0, 4]", "Shape (x)").constant("y"), "int64[3]{2,0,4}");
}

TEST(Shape, StartAndEndClamp) {
  EXPECT_EQ(shape_of("[2, 3, 4]", "Shape <start = 1> (x)").constant("y"), "int64[2]{3,4}");
  EXPECT_EQ(shape_of("[2, 3, 4]", "Shape <start = -2, end = -1> (x)").constant("y"), "int64[1]{3}");
  EXPECT_EQ(shape_of("[2, 3, 4]", "Shape <start = -9, end = 9> (x)").constant("y"),
            "int64[3]{2,3,4}");
  EXPECT_EQ(shape_of("[2, 3, 4]", "Shape <start = 2, end = 1> (x)").constant("y"), "int64[0]{}");
}

// Only the selected dimensions have to be known.
TEST(Shape, OpenDimensionsOutsideThePartDoNotMatter) {
  EXPECT_EQ(shape_of("[N, 3, 4]", "Shape <start = 1> (x)").constant("y"), "int64[2]{3,4}");
  EXPECT_EQ(shape_of("[N, 3, 4]", "Shape (x)").nodes, "y = Shape(x)");
}

TEST(Shape, Size) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 3] x, float[N] z) => (int64 y, int64 open) {
      y = Size (x)
      open = Size (z)
    })");
  EXPECT_EQ(folded.constant("y"), "int64[]{6}");
  EXPECT_EQ(folded.nodes, "open = Size(z)");
}

TEST(Shape, OfAComputedTensor) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 3] x) => (float[6] y) {
      t = Transpose <perm = [1, 0]> (x)
      s = Shape (t)
      rows = Constant <value_ints = [0]> ()
      r = Gather (s, rows)
      minus = Constant <value_ints = [-2]> ()
      n = Mul (r, minus)
      m = Neg (n)
      y = Reshape (t, m)
    })");
  EXPECT_EQ(folded.nodes, "t = Transpose(x); y = Reshape(t, m)");
  EXPECT_EQ(folded.constant("m"), "int64[1]{6}");
}

}  // namespace
}  // namespace graphsurgeon
