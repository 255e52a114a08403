#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

TEST(NonZero, OneColumnForEach) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (int64[2, N] y) <float[2, 2] x = {1, 0, 0, -3}> { y = NonZero (x) })");
  EXPECT_EQ(folded.constant("y"), "int64[2,2]{0,1,0,1}");
}

}  // namespace
}  // namespace graphsurgeon
