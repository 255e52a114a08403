#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

constexpr std::string_view kModel = R"(
  <ir_version: 8, opset_import: ["" : 17]>
  g (float[N, 3, 4] x) => (int64[M] y) <int64[2] two = {1, -1}, int64[2] open = {0, 1}> {
    s = Shape (x)
    y = Gather (s, INDICES)
  })";

std::string with(std::string_view indices) {
  std::string text(kModel);
  return text.replace(text.find("INDICES"), 7, indices);
}

TEST(GatherOfShape, TakesKnownDimensions) {
  const Folded folded = fold(with("two"));
  EXPECT_EQ(folded.constant("y"), "int64[2]{3,4}");
  EXPECT_EQ(folded.rules(), "gather-of-shape");
}

// The intermediate tensor has no type, and none is inferred.
TEST(GatherOfShape, NeedsNoInference) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 3, 4] x) => (float[3, 4] y, float[3, 4] z)
      <int64[2] two = {1, -1}, int64[1] one = {1}, int64[1] end = {100}, int64[1] axis = {0}> {
      s = Shape (x)
      picked = Gather (s, two)
      y = Reshape (x, picked)
      cut = Slice (s, one, end, axis)
      z = Reshape (x, cut)
    })",
                             {.infer_shapes = false});
  EXPECT_EQ(folded.constant("picked"), "int64[2]{3,4}");
  EXPECT_EQ(folded.constant("cut"), "int64[2]{3,4}");
}

// As it is after shape inference.
TEST(GatherOfShape, NeedsNoInferenceOfDeclaredTensors) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 3, 4] x) => (float[3, 4] y, float[3, 4] z)
      <int64[2] two = {1, -1}, int64[1] one = {1}, int64[1] end = {100}, int64[1] axis = {0},
       int64[3] s, int64[2] picked, int64[2] cut> {
      s = Shape (x)
      picked = Gather (s, two)
      y = Reshape (x, picked)
      cut = Slice (s, one, end, axis)
      z = Reshape (x, cut)
    })",
                             {.infer_shapes = false});
  EXPECT_EQ(folded.constant("picked"), "int64[2]{3,4}");
  EXPECT_EQ(folded.constant("cut"), "int64[2]{3,4}");
}

TEST(GatherOfShape, OpenOnesStay) {
  EXPECT_EQ(fold(with("open")).nodes, "s = Shape(x); y = Gather(s, open)");
}

TEST(GatherOfShape, AScalarIndexGivesAScalar) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 3] x) => (int64 y) <int64 last = {-1}> {
      s = Shape (x)
      y = Gather (s, last)
    })");
  EXPECT_EQ(folded.constant("y"), "int64[]{3}");
}

}  // namespace
}  // namespace graphsurgeon
