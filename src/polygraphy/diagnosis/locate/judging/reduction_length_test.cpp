#include "polygraphy/diagnosis/locate/judging/reduction_length.h"

#include <gtest/gtest.h>

#include "graphsurgeon/ir/arg.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {
namespace {

double length(const char* op, std::vector<Shape> inputs, const Shape& output) {
  const graphsurgeon::NodeRef node = graphsurgeon::Node::create(*graphsurgeon::Store::create(), op);
  std::vector<const Shape*> shapes;
  for (const Shape& shape : inputs) shapes.push_back(&shape);
  return reduction_length(*node, shapes, output);
}

TEST(ReductionLength, OfOperators) {
  EXPECT_EQ(length("MatMul", {{4, 8, 16}, {16, 32}}, {4, 8, 32}), 16);
  EXPECT_EQ(length("MatMulInteger", {{4, 8, 16}, {4, 16, 32}}, {4, 8, 32}), 16) << "batches";
  const Shape scalar;
  EXPECT_EQ(
      length("QLinearMatMul",
             {{4, 8, 16}, scalar, scalar, {4, 16, 32}, scalar, scalar, scalar, scalar}, {4, 8, 32}),
      16);
  EXPECT_EQ(length("Gemm", {{8, 16}, {16, 32}}, {8, 32}), 16);
  EXPECT_EQ(length("Einsum", {{8, 16}, {16, 32}}, {8, 32}), 16);
  EXPECT_EQ(length("Conv", {{1, 3, 32, 32}, {64, 3, 7, 7}}, {1, 64, 16, 16}), 147);
  EXPECT_EQ(length("ConvTranspose", {{1, 8, 4, 4}, {8, 2, 3, 3}}, {1, 2, 6, 6}), 72);
  EXPECT_EQ(length("ReduceMean", {{2, 10}}, {2, 1}), 10);
  EXPECT_EQ(length("Softmax", {{2, 10}}, {2, 10}), 10);
  EXPECT_EQ(length("Softmax", {{2, 12, 64, 64}}, {2, 12, 64, 64}), 64);
  EXPECT_EQ(length("InstanceNormalization", {{2, 3, 8, 8}}, {2, 3, 8, 8}), 192);
  EXPECT_EQ(length("Gather", {{1000, 8}, {4}}, {4, 8}), 1);
  EXPECT_EQ(length("Relu", {{2, 10}}, {2, 10}), 1);
  EXPECT_EQ(length("Concat", {{2, 10}}, {2, 20}), 1);
}

TEST(AlgorithmError, OfConvolutionsThatMayBeWinograds) {
  const auto of = [](const Shape& weight, int64_t stride) {
    const auto graph = graphsurgeon::Graph::create(*graphsurgeon::Store::create(), "g");
    const auto node = graphsurgeon::Node::create(graph->store(), "Conv", "n");
    node->set_attribute("strides", std::vector<int64_t>{stride, stride});
    return algorithm_error(*node, {nullptr, &weight});
  };
  EXPECT_GT(of({8, 8, 3, 3}, 1), 1);
  EXPECT_EQ(of({8, 8, 3, 3}, 2), 1);
  EXPECT_EQ(of({8, 8, 1, 1}, 1), 1);
}

}  // namespace
}  // namespace polygraphy
