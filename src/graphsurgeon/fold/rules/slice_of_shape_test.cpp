#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

std::string sliced(const std::string& constants, const std::string& inputs) {
  return "<ir_version: 8, opset_import: [\"\" : 17]> g (float[N, 3, 4, 5] x) => (int64[M] y) <" +
         constants + "> { s = Shape (x) y = Slice (s, " + inputs + ") }";
}

TEST(SliceOfShape, TakesKnownDimensions) {
  const Folded folded =
      fold(sliced("int64[1] a = {1}, int64[1] b = {9223372036854775807}", "a, b"));
  EXPECT_EQ(folded.constant("y"), "int64[3]{3,4,5}");
  EXPECT_EQ(folded.rules(), "slice-of-shape");
}

TEST(SliceOfShape, CountsFromTheEndAndBackwards) {
  EXPECT_EQ(fold(sliced("int64[1] a = {-2}, int64[1] b = {4}, int64[1] axis = {0}", "a, b, axis"))
                .constant("y"),
            "int64[2]{4,5}");
  EXPECT_EQ(fold(sliced("int64[1] a = {-1}, int64[1] b = {0}, int64[1] axis = {0}, "
                        "int64[1] step = {-2}",
                        "a, b, axis, step"))
                .constant("y"),
            "int64[2]{5,3}");
}

TEST(SliceOfShape, OpenOnesStay) {
  EXPECT_EQ(fold(sliced("int64[1] a = {0}, int64[1] b = {2}", "a, b")).nodes,
            "s = Shape(x); y = Slice(s, a, b)");
}

TEST(SliceOfShape, ParametersMayBeAttributes) {
  const Folded folded = fold(R"(
    <ir_version: 4, opset_import: ["" : 9]>
    g (float[N, 3, 4] x) => (int64[M] y) {
      s = Shape (x)
      y = Slice <starts = [1], ends = [2]> (s)
    })");
  EXPECT_EQ(folded.constant("y"), "int64[1]{3}");
}

}  // namespace
}  // namespace graphsurgeon
