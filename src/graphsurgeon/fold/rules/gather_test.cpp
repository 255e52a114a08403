#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

TEST(Gather, AlongAnyAxis) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (int64[2] row, int64[2, 1] column, int64 element)
      <int64[2, 3] a = {1, 2, 3, 4, 5, 6}, int64 one = {1}, int64[1] last = {-1}, int64[3] v = {7, 8, 9}> {
      t = Transpose (a)
      row = Gather <axis = 0> (t, one)
      column = Gather <axis = 1> (a, last)
      element = Gather (v, one)
    })");
  EXPECT_EQ(folded.constant("row"), "int64[2]{2,5}");
  EXPECT_EQ(folded.constant("column"), "int64[2,1]{3,6}");
  EXPECT_EQ(folded.constant("element"), "int64[]{8}");
}

TEST(Gather, OutsideTheDataStays) {
  const Folded folded = fold(
      "<ir_version: 8, opset_import: [\"\" : 17]> g () => (float y)"
      "<float[2] a = {1, 2}, int64 i = {2}> { y = Gather (a, i) }",
      {.skip_rules = {"evaluate"}});
  EXPECT_EQ(folded.nodes, "y = Gather(a, i)");
}

}  // namespace
}  // namespace graphsurgeon
