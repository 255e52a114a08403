#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

TEST(ScatterNd, ElementsAndRows) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (int64[3] y, int64[2, 2] z)
      <int64[3] x = {1, 2, 3}, int64[2, 1] at = {0, -1}, int64[2] new = {8, 9},
       int64[2, 2] m = {1, 2, 3, 4}, int64[1, 1] row = {1}, int64[1, 2] values = {6, 7}> {
      y = ScatterND (x, at, new)
      z = ScatterND (m, row, values)
    })");
  EXPECT_EQ(folded.constant("y"), "int64[3]{8,2,9}");
  EXPECT_EQ(folded.constant("z"), "int64[2,2]{1,2,6,7}");
}

TEST(ScatterNd, ReductionsAreLeftToTheRuntime) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (int64[3] y) <int64[3] x = {1, 2, 3}, int64[1, 1] at = {0}, int64[1] new = {8}> {
      y = ScatterND <reduction = "add"> (x, at, new)
    })",
                             {.skip_rules = {"evaluate"}});
  EXPECT_EQ(folded.nodes, "y = ScatterND(x, at, new)");
}

}  // namespace
}  // namespace graphsurgeon
