#include "polygraphy/diagnosis/consistency/model_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ModelFacts facts_of_nodes(const std::string& nodes) {
  return facts_of(graphsurgeon::parse_onnx_text(
      "<ir_version: 10, opset_import: [\"\": 18]> g (float[N,3] x) => (float[N,3] y) {" + nodes +
      "}"));
}

TEST(ModelFactsTest, RandomNodes) {
  EXPECT_THAT(facts_of_nodes("r = RandomNormalLike(x) y = Add(x, r)").random,
              ElementsAre("'r' (RandomNormalLike)"));
  EXPECT_THAT(facts_of_nodes("rate = Constant <value_float = 0.5> ()\n"
                             "y = Dropout(x, rate)")
                  .random,
              IsEmpty());
}

TEST(ModelFactsTest, NodesAcrossRows) {
  EXPECT_THAT(facts_of_nodes("y = Softmax <axis = 0> (x)").across_rows,
              ElementsAre("'y' (Softmax over axis 0)"));
  EXPECT_THAT(facts_of_nodes("y = Softmax <axis = -2> (x)").across_rows,
              ElementsAre("'y' (Softmax over axis 0)"));
  EXPECT_THAT(facts_of_nodes("m = ReduceMax(x) y = Sub(x, m)").across_rows,
              ElementsAre("'m' (ReduceMax over all axes)"));
  EXPECT_THAT(facts_of_nodes("q, s, z = DynamicQuantizeLinear(x)"
                             " y = DequantizeLinear(q, s, z)")
                  .across_rows,
              ElementsAre("'q' (DynamicQuantizeLinear with one scale for all rows)"));
}

TEST(ModelFactsTest, NodesWithinRows) {
  EXPECT_THAT(facts_of_nodes("y = Softmax <axis = 1> (x)").across_rows, IsEmpty());
  EXPECT_THAT(facts_of_nodes("y = Softmax(x)").across_rows, IsEmpty());
  EXPECT_THAT(facts_of_nodes("y = Relu(x)").across_rows, IsEmpty());
}

TEST(ModelFactsTest, SizesAreNoRows) {
  EXPECT_THAT(facts_of_nodes("shape = Shape(x) count = ReduceProd(shape)\n"
                             "n = Cast <to = 1> (count) y = Div(x, n)")
                  .across_rows,
              IsEmpty());
}

}  // namespace
}  // namespace polygraphy
