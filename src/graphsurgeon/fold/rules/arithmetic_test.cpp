#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

// The constant that `nodes`, which compute "y", make of two int64 vectors.
Folded compute(const std::string& nodes) {
  return fold(
      "<ir_version: 8, opset_import: [\"\" : 17]> g () => (int64[M] y)"
      "<int64[3] a = {7, -7, 9}, int64[3] b = {2, 2, -4}, int64 two = {2}, int64 zero = {0}> {" +
      nodes + "}");
}

TEST(Arithmetic, DivisionOfIntegersTruncates) {
  EXPECT_EQ(compute("y = Div (a, b)").constant("y"), "int64[3]{3,-3,-2}");
}

TEST(Arithmetic, ModHasTheSignOfTheDivisor) {
  EXPECT_EQ(compute("y = Mod (a, b)").constant("y"), "int64[3]{1,1,-3}");
  EXPECT_EQ(compute("y = Mod <fmod = 1> (a, b)").constant("y"), "int64[3]{1,-1,1}");
}

TEST(Arithmetic, DivisionByZeroStays) {
  const Folded folded = fold(
      "<ir_version: 8, opset_import: [\"\" : 17]> g () => (int64[M] y)"
      "<int64[2] a = {7, 8}, int64[2] b = {1, 0}> { y = Div (a, b) }",
      {.skip_rules = {"evaluate"}});
  EXPECT_EQ(folded.nodes, "y = Div(a, b)");
}

TEST(Arithmetic, ScalarsRepeat) {
  EXPECT_EQ(compute("y = Mul (a, two)").constant("y"), "int64[3]{14,-14,18}");
}

TEST(Arithmetic, MinAndMaxTakeAnyNumberOfInputs) {
  EXPECT_EQ(compute("y = Max (a, b, two)").constant("y"), "int64[3]{7,2,9}");
  EXPECT_EQ(compute("y = Min (a, b, zero)").constant("y"), "int64[3]{0,-7,-4}");
}

TEST(Arithmetic, IntegersWrapAround) {
  const Folded folded = fold(
      "<ir_version: 8, opset_import: [\"\" : 17]> g () => (int32[1] y)"
      "<int32[1] a = {2147483647}, int32[1] b = {1}> { y = Add (a, b) }");
  EXPECT_EQ(folded.constant("y"), "int32[1]{-2147483648}");
}

TEST(Arithmetic, FloatsFollowIeee) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (float[3] y, float[2] z)
      <float[3] a = {1, -1, 2}, float zero = {0}, float[2] b = {2.25, 9}> {
      y = Div (a, zero)
      z = Sqrt (b)
    })");
  EXPECT_EQ(folded.constant("y"), "float32[3]{inf,-inf,inf}");
  EXPECT_EQ(folded.constant("z"), "float32[2]{1.5,3}");
}

TEST(Arithmetic, SplatsStaySplats) {
  FoldOptions unlimited;
  unlimited.max_growth.reset();
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[1000, 1000] x) => (float[1000, 1000] y) <int64[2] shape = {1000, 1000}, float[1] c = {3}> {
      ones = ConstantOfShape <value = float[1] {1}> (shape)
      threes = Mul (ones, c)
      y = Add (x, threes)
    })",
                             unlimited);
  EXPECT_EQ(folded.nodes, "y = Add(x, threes)");
  EXPECT_EQ(folded.model.graph->initializers()[0]->payload()->kind(), Payload::Kind::kSplat);
}

TEST(Arithmetic, OldBroadcastingIsLeftToTheRuntime) {
  const Folded folded = fold(R"(
    <ir_version: 3, opset_import: ["" : 6]>
    g (float[2, 2] a, float[2] b) => (float[2, 2] y) <float[2, 2] a = {1, 2, 3, 4}, float[2] b = {1, 2}> {
      y = Add <broadcast = 1, axis = 0> (a, b)
    })",
                             {.skip_rules = {"evaluate"}});
  EXPECT_EQ(folded.nodes, "y = Add(a, b)");
}

}  // namespace
}  // namespace graphsurgeon
