#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

TEST(Cast, TruncatesFractionsTowardsZero) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (int64[4] y, bool[4] b) <float[4] x = {1.9, -1.9, 0, 3}> {
      y = Cast <to = 7> (x)
      b = Cast <to = 9> (x)
    })");
  EXPECT_EQ(folded.constant("y"), "int64[4]{1,-1,0,3}");
  EXPECT_EQ(folded.constant("b"), "bool[4]{1,1,0,1}");
}

// Runtimes differ on numbers out of range, so the evaluator computes them.
TEST(Cast, FloatsThatDoNotFitStay) {
  const Folded folded = fold(
      "<ir_version: 8, opset_import: [\"\" : 17]> g () => (int32[2] y)"
      "<float[2] x = {1, 3000000000}> { y = Cast <to = 6> (x) }",
      {.skip_rules = {"evaluate"}});
  EXPECT_EQ(folded.nodes, "y = Cast(x)");
}

TEST(Cast, ToItsOwnTypeSharesTheValues) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (int8[2] x) => (int8[2] y) <int8[2] w = {1, 2}> {
      c = Cast <to = 3> (w)
      y = Add (x, c)
    })");
  EXPECT_EQ(folded.nodes, "y = Add(x, c)");
  EXPECT_EQ(folded.constant("c"), "int8[2]{1,2}");
}

TEST(Cast, LikeAnotherTensor) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (int32[N] like) => (int32[2] y) <int64[2] x = {5, 6}> {
      c = CastLike (x, like)
      y = Identity (c)
    })");
  EXPECT_EQ(folded.constant("y"), "int32[2]{5,6}");
}

}  // namespace
}  // namespace graphsurgeon
