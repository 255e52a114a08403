#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

TEST(ConstantOfShape, ZeroUnlessTold) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (float[2] y, int64[1, 2] z, float s) <int64[1] a = {2}, int64[2] b = {1, 2}, int64[0] e = {}> {
      y = ConstantOfShape (a)
      z = ConstantOfShape <value = int64[1] {7}> (b)
      s = ConstantOfShape (e)
    })");
  EXPECT_EQ(folded.constant("y"), "float32[2]{0,0}");
  EXPECT_EQ(folded.constant("z"), "int64[1,2]{7,7}");
  EXPECT_EQ(folded.constant("s"), "float32[]{0}");
}

TEST(ConstantOfShape, TakesNoMemory) {
  FoldOptions unlimited;
  unlimited.max_growth.reset();
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float x) => (float[1000000, 1000000] y) <int64[2] shape = {1000000, 1000000}> {
      c = ConstantOfShape (shape)
      y = Add (x, c)
    })",
                             unlimited);
  EXPECT_EQ(folded.report.growth, int64_t{4} * 1000000 * 1000000 - 16);
  EXPECT_EQ(folded.model.graph->initializers()[0]->payload()->kind(), Payload::Kind::kSplat);
}

TEST(ConstantOfShape, NegativeDimensionsStay) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (float[N] y) <int64[1] a = {-2}> { y = ConstantOfShape (a) })",
                             {.skip_rules = {"evaluate"}});
  EXPECT_EQ(folded.nodes, "y = ConstantOfShape(a)");
}

}  // namespace
}  // namespace graphsurgeon
