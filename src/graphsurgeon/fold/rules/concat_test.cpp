#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

TEST(Concat, AlongAnyAxis) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (int64[2, 3] y, int64[3, 2] z) <int64[2, 1] a = {1, 2}, int64[2, 2] b = {3, 4, 5, 6}, int64[1, 2] c = {7, 8}> {
      y = Concat <axis = -1> (a, b)
      z = Concat <axis = 0> (b, c)
    })");
  EXPECT_EQ(folded.constant("y"), "int64[2,3]{1,3,4,2,5,6}");
  EXPECT_EQ(folded.constant("z"), "int64[3,2]{3,4,5,6,7,8}");
}

TEST(Concat, WithAnEmptyPart) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (float[1] y) <float[0] a = {}, float[1] b = {2}> { y = Concat <axis = 0> (a, b) })");
  EXPECT_EQ(folded.constant("y"), "float32[1]{2}");
}

}  // namespace
}  // namespace graphsurgeon
