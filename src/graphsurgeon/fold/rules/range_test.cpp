#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

TEST(Range, UpAndDown) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (int64[3] up, int32[2] down, int64[0] none)
      <int64 a = {1}, int64 b = {6}, int64 s = {2}, int32 c = {5}, int32 d = {0}, int32 m = {-3}> {
      up = Range (a, b, s)
      down = Range (c, d, m)
      none = Range (b, a, s)
    })");
  EXPECT_EQ(folded.constant("up"), "int64[3]{1,3,5}");
  EXPECT_EQ(folded.constant("down"), "int32[2]{5,2}");
  EXPECT_EQ(folded.constant("none"), "int64[0]{}");
}

}  // namespace
}  // namespace graphsurgeon
