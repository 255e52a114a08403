#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

std::string reduced(const std::string& type, const std::string& node) {
  return "<ir_version: 8, opset_import: [\"\" : 17]> g () => (" + type +
         " y) <int64[2, 3] x = {1, 2, 3, 4, 5, 6}, int64[1] last = {-1}> { y = " + node + " }";
}

TEST(Reduce, OverAllAxesUnlessTold) {
  EXPECT_EQ(fold(reduced("int64[1, 1]", "ReduceProd (x)")).constant("y"), "int64[1,1]{720}");
  EXPECT_EQ(fold(reduced("int64", "ReduceMax <keepdims = 0> (x)")).constant("y"), "int64[]{6}");
}

TEST(Reduce, AxesAsAttributeOrInput) {
  EXPECT_EQ(fold(reduced("int64[3]", "ReduceMin <axes = [0], keepdims = 0> (x)")).constant("y"),
            "int64[3]{1,2,3}");
  EXPECT_EQ(fold(reduced("int64[2, 1]", "ReduceSum (x, last)")).constant("y"), "int64[2,1]{6,15}");
}

TEST(Reduce, NoAxesMayMeanNone) {
  EXPECT_EQ(fold(reduced("int64[2, 3]", "ReduceSum <noop_with_empty_axes = 1> (x)")).constant("y"),
            "int64[2,3]{1,2,3,4,5,6}");
}

// Its input may be large, and is not computed.
TEST(Reduce, TheMaximumOfASplat) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float x) => (float y) <int64[2] shape = {100000, 100000}> {
      c = ConstantOfShape <value = float[1] {2.5}> (shape)
      m = ReduceMax <keepdims = 0> (c)
      y = Add (x, m)
    })");
  EXPECT_EQ(folded.nodes, "y = Add(x, m)");
  EXPECT_EQ(folded.constant("m"), "float32[]{2.5}");
  EXPECT_EQ(folded.report.deferred, 0);
}

}  // namespace
}  // namespace graphsurgeon
