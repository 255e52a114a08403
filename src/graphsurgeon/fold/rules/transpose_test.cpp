#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

TEST(Transpose, ReversesUnlessTold) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (float[3, 2] y, float[1, 3, 2] z) <float[2, 3] x = {1, 2, 3, 4, 5, 6}, float[2, 1, 3] x3 = {1, 2, 3, 4, 5, 6}> {
      y = Transpose (x)
      z = Transpose <perm = [1, 2, 0]> (x3)
    })");
  EXPECT_EQ(folded.constant("y"), "float32[3,2]{1,4,2,5,3,6}");
  EXPECT_EQ(folded.constant("z"), "float32[1,3,2]{1,4,2,5,3,6}");
}

}  // namespace
}  // namespace graphsurgeon
