#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

TEST(Expand, RepeatsAsBroadcastingDoes) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (int64[2, 2] y, int64[2, 2] z) <int64[2, 1] x = {1, 2}, int64[2] shape = {1, 2}, int64[2] row = {3, 4}, int64[2] big = {2, 1}> {
      y = Expand (x, shape)
      z = Expand (row, big)
    })");
  EXPECT_EQ(folded.constant("y"), "int64[2,2]{1,1,2,2}");
  EXPECT_EQ(folded.constant("z"), "int64[2,2]{3,4,3,4}");
}

TEST(Expand, Tile) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (int64[2, 4] y) <int64[1, 2] x = {1, 2}, int64[2] times = {2, 2}> { y = Tile (x, times) })");
  EXPECT_EQ(folded.constant("y"), "int64[2,4]{1,2,1,2,1,2,1,2}");
}

}  // namespace
}  // namespace graphsurgeon
