#include <gmock/gmock.h>

#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

std::string sliced(const std::string& constants, const std::string& inputs) {
  return "<ir_version: 8, opset_import: [\"\" : 17]> g () => (int64[M, K] y)"
         "<int64[2, 3] x = {1, 2, 3, 4, 5, 6}, " +
         constants + "> { y = Slice (x, " + inputs + ") }";
}

TEST(Slice, Plain) {
  EXPECT_EQ(fold(sliced("int64[2] a = {0, 1}, int64[2] b = {2, 3}", "a, b")).constant("y"),
            "int64[2,2]{2,3,5,6}");
}

TEST(Slice, BackwardsWithAStep) {
  EXPECT_EQ(fold(sliced("int64[1] a = {-1}, int64[1] b = {-9223372036854775807}, "
                        "int64[1] axis = {-1}, int64[1] step = {-2}",
                        "a, b, axis, step"))
                .constant("y"),
            "int64[2,2]{3,1,6,4}");
}

// ONNX Runtime takes all of it there, so folding leaves the node to the runtime.
TEST(Slice, WhereTheStandardAndOnnxRuntimeDisagreeItStays) {
  const Folded folded =
      fold(sliced("int64[1] a = {-1}, int64[1] b = {9223372036854775807}, int64[1] axis = {1}, "
                  "int64[1] step = {-1}",
                  "a, b, axis, step"));
  EXPECT_EQ(folded.nodes, "y = Slice(x, a, b, axis, step)");
  EXPECT_THAT(folded.refusals(), testing::HasSubstr("empty in the standard"));
  // Its shape is unknown, too.
  EXPECT_EQ(fold(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[3] x) => (int64[1] y) <int64[1] a = {-1}, int64[1] b = {2147483647},
      int64[1] axis = {0}, int64[1] step = {-1}> {
      s = Slice (x, a, b, axis, step)
      y = Shape (s)
    })")
                .nodes,
            "s = Slice(x, a, b, axis, step); y = Shape(s)");
}

TEST(Slice, NothingIsLeft) {
  EXPECT_EQ(fold(sliced("int64[1] a = {2}, int64[1] b = {1}, int64[1] axis = {1}", "a, b, axis"))
                .constant("y"),
            "int64[2,0]{}");
}

TEST(Slice, OptionalInputsMayBeLeftOut) {
  EXPECT_EQ(fold(sliced("int64[2] a = {1, 2}, int64[2] b = {0, 0}, int64[2] step = {-1, -1}",
                        "a, b, , step"))
                .constant("y"),
            "int64[1,2]{6,5}");
}

}  // namespace
}  // namespace graphsurgeon
