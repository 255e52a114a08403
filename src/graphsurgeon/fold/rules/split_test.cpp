#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

TEST(Split, AllOutputsAtOnce) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (int64[1, 2] a, int64[1, 2] b) <int64[2, 2] x = {1, 2, 3, 4}> { a, b = Split (x) })");
  EXPECT_EQ(folded.constant("a"), "int64[1,2]{1,2}");
  EXPECT_EQ(folded.constant("b"), "int64[1,2]{3,4}");
  EXPECT_EQ(folded.report.rewrites.size(), 1u);
}

TEST(Split, AlongAnAxisInUnequalParts) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (int64[2, 2] b) <int64[2, 3] x = {1, 2, 3, 4, 5, 6}, int64[2] sizes = {1, 2}> {
      , b = Split <axis = 1> (x, sizes)
    })");
  EXPECT_EQ(folded.constant("b"), "int64[2,2]{2,3,5,6}");
}

TEST(Split, TheLastPartMayBeSmaller) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 18]>
    g () => (int64[2] a, int64[1] b) <int64[3] x = {1, 2, 3}> { a, b = Split <num_outputs = 2> (x) })");
  EXPECT_EQ(folded.constant("a"), "int64[2]{1,2}");
  EXPECT_EQ(folded.constant("b"), "int64[1]{3}");
}

}  // namespace
}  // namespace graphsurgeon
