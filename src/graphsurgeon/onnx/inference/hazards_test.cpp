#include "graphsurgeon/onnx/inference/hazards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/onnx/node_inference.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// The problems of inferring the nodes in order.
std::string problems_of(std::string_view text) {
  polygraphy::Logger silent;
  Model model = parse_onnx_text(text);
  NodeInference inference(model, silent);
  std::string problems;
  for (const NodeRef& node : model.graph->nodes()) problems += inference.infer(*node);
  return problems;
}

TEST(HazardsTest, AnEquationThatCannotBeReadIsNotAskedAbout) {
  const auto einsum = [](const std::string& equation) {
    return problems_of(
        R"(<ir_version: 8, opset_import: ["": 17]> g (float[2, 3] x) => (float[2] y) {
        y = Einsum <equation = ")" +
        equation + "\"> (x) }");
  };
  EXPECT_THAT(einsum("i1->i"), HasSubstr("the equation 'i1->i' is invalid"));
  EXPECT_THAT(einsum("ij -> i"), IsEmpty());
}

TEST(HazardsTest, AShapeOfThousandsOfDimensionsIsNotAskedAbout) {
  EXPECT_THAT(problems_of(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[1] x, int64[5000] s) => (float y) { y = Expand (x, s) })"),
              HasSubstr("a shape of 5000 dimensions"));
}

TEST(HazardsTest, AnAxisOutsideOfTheRankIsNotAskedAbout) {
  const auto normalized = [](const std::string& axis) {
    return problems_of(R"(<ir_version: 8, opset_import: ["": 17]>
        g (float[2, 3] x, float[3] s) => (float[2, 3] y) { y = LayerNormalization <axis = )" +
                       axis + "> (x, s) }");
  };
  EXPECT_THAT(normalized("2"), HasSubstr("axis 2 of a tensor of rank 2"));
  EXPECT_THAT(normalized("-3"), HasSubstr("axis -3 of a tensor of rank 2"));
  EXPECT_THAT(normalized("-1"), IsEmpty());
}

TEST(HazardsTest, MoreOutputsThanANodeHasAreNotAskedFor) {
  EXPECT_THAT(problems_of(R"(<ir_version: 8, opset_import: ["": 18]>
      g (float[4] x) => (float a) { a, b = Split <num_outputs = 100000> (x) })"),
              HasSubstr("num_outputs is 100000, but it has 2 outputs"));
}

// It is valid, but its result is not computed.
TEST(HazardsTest, AHugeStepIsNoProblem) {
  EXPECT_THAT(problems_of(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2, 3] x) => (int64[K] y)
      <int64[1] from = {0}, int64[1] to = {2}, int64[1] axis = {0}, int64[1] step = {9223372036854775807}>
      { s = Shape (x) y = Slice (s, from, to, axis, step) })"),
              IsEmpty());
}

}  // namespace
}  // namespace graphsurgeon
