#include "polygraphy/diagnosis/consistency/model_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ModelFacts facts_of_graph(const std::string& graph) {
  graphsurgeon::Model model =
      graphsurgeon::parse_onnx_text("<ir_version: 10, opset_import: [\"\": 18]> g " + graph);
  Logger log;
  return facts_of(model, {}, log);
}

ModelFacts facts_of_nodes(const std::string& nodes) {
  return facts_of_graph("(float[N,3] x) => (float[N,3] y) {" + nodes + "}");
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

TEST(ModelFactsTest, RecurrentNodesAlongTheBatch) {
  const auto gru = [](const std::string& x, const std::string& nodes) {
    return facts_of_graph("(float[" + x + "] x) => (y) <float[1,6,3] w, float[1,6,2] r> {" + nodes +
                          "}")
        .across_rows;
  };
  EXPECT_THAT(gru("N,1,3", "y = GRU <hidden_size = 2> (x, w, r)"),
              ElementsAre("'y' (GRU with the batch as its steps)"));
  EXPECT_THAT(gru("N,3",
                  "axes = Constant <value_ints = [1]> () steps = Unsqueeze(x, axes)\n"
                  "y = GRU <hidden_size = 2> (steps, w, r)"),
              ElementsAre("'y' (GRU with the batch as its steps)"));
  EXPECT_THAT(gru("2,batch,3", "y = GRU <hidden_size = 2, layout = 1> (x, w, r)"),
              ElementsAre("'y' (GRU with the batch as its steps)"));
  EXPECT_THAT(gru("2,batch,3", "y = GRU <hidden_size = 2> (x, w, r)"), IsEmpty());
  EXPECT_THAT(gru("batch,N,3", "y = GRU <hidden_size = 2, layout = 1> (x, w, r)"), IsEmpty());
  EXPECT_THAT(gru("T,N,3", "y = GRU <hidden_size = 2> (x, w, r)"), IsEmpty());
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
