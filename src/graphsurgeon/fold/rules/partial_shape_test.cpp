#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

// x.expand(-1, 3): dimensions of shapes are never -1.
TEST(PartialShape, ADimensionIsNotMinusOne) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 1] x) => (float[N, K] y) <int64[1] three = {3}, int64 minus = {-1}, int64[1] zero = {0}> {
      s = Shape (x)
      n = Gather (s, zero)
      to = Concat <axis = 0> (n, three)
      length = Shape (to)
      ones = ConstantOfShape <value = int64[1] {1}> (length)
      absent = Mul (ones, minus)
      keep = Equal (to, absent)
      shape = Where (keep, ones, to)
      y = Expand (x, shape)
    })");
  EXPECT_EQ(folded.constant("keep"), "bool[2]{0,0}");
  EXPECT_THAT(folded.rules(), testing::HasSubstr("partial-shape"));
  EXPECT_EQ(
      folded.nodes,
      "s = Shape(x); n = Gather(s, zero); to = Concat(n, three); shape = Where(keep, ones, to); "
      "y = Expand(x, shape)");
}

TEST(PartialShape, WhatIsKnownIsUsedWhereItsNeighboursAreNot) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 6] x) => (int64[1] y) <int64[2] two = {2, 2}, int64[1] one = {1}> {
      s = Shape (x)
      half = Div (s, two)
      y = Gather (half, one)
    })");
  EXPECT_EQ(folded.constant("y"), "int64[1]{3}");
}

TEST(PartialShape, ZeroTimesAnythingIsZero) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 6] x) => (int64[2] y) <int64 zero = {0}> {
      s = Shape (x)
      y = Mul (s, zero)
    })");
  EXPECT_EQ(folded.constant("y"), "int64[2]{0,0}");
}

TEST(PartialShape, AConditionThatIsKnownChooses) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 6] x) => (int64[2] y) <bool[2] first = {0, 1}, int64[2] c = {5, 5}> {
      s = Shape (x)
      y = Where (first, s, c)
    })");
  EXPECT_EQ(folded.constant("y"), "int64[2]{5,6}");
}

TEST(PartialShape, ModIsNotGuessed) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 6] x) => (int64[2] y) <int64 four = {4}> {
      s = Shape (x)
      y = Mod (s, four)
    })");
  EXPECT_EQ(folded.nodes, "s = Shape(x); y = Mod(s, four)");
}

// A value read at run time may be -1, even if it has a name.
TEST(PartialShape, InputsAreNotDimensions) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (int64[2] n) => (bool[2] y) <int64 minus = {-1}> { y = Equal (n, minus) })");
  EXPECT_EQ(folded.nodes, "y = Equal(n, minus)");
}

// As exporters write it: the shape is computed in int32.
TEST(PartialShape, OpenDimensionsAreHandedOnByACast) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 3, 4] x) => (float[N, K] y, int64 size)
    <int64[1] zero = {0}, int32[1] minus = {-1}, int64 one = {1}> {
      s = Shape (x)
      narrow = Cast <to = 6> (s)
      n = Gather (narrow, zero)
      to = Concat <axis = 0> (n, minus)
      wide = Cast <to = 7> (to)
      y = Reshape (x, wide)
      t = Shape (y)
      size = Gather (t, one)
    })");
  EXPECT_EQ(folded.constant("size"), "int64[]{12}");
}

}  // namespace
}  // namespace graphsurgeon
