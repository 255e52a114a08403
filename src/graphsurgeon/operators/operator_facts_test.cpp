#include "graphsurgeon/operators/operator_facts.h"

#include <gtest/gtest.h>

#include <optional>

#include "graphsurgeon/ir/arg.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/tensor.h"

namespace graphsurgeon {
namespace {

NodeRef node(std::string_view op, std::string_view domain = {}) {
  return Node::create(*Store::create(), op, "n", domain);
}

TEST(OperatorFacts, OfCustomDomainsAreNotThoseOfTheStandard) {
  const OperatorFacts& none = facts_of(*node("NoSuchOperator"));
  EXPECT_EQ(facts_of(*node("MatMul", "ai.onnx")).layer, LayerKind::kProduct);
  EXPECT_EQ(&facts_of(*node("MatMul", "com.example")), &none);
  EXPECT_EQ(&facts_of(*node("MatMul", "com.microsoft")), &none);
  EXPECT_EQ(&facts_of(*node("MatMulNBits")), &none);
  EXPECT_EQ(facts_of(*node("MatMulNBits", "com.microsoft")).float_op, "MatMul");
}

TEST(OperatorFacts, MovementDependsOnAttributesAndTypes) {
  EXPECT_TRUE(moves_numbers(*node("Transpose")));
  EXPECT_FALSE(moves_numbers(*node("Transpose", "com.example")));
  EXPECT_TRUE(moves_numbers(*node("Clip"))) << "its bounds are numbers of the model";
  EXPECT_FALSE(moves_numbers(*node("Add")));
  const NodeRef resize = node("Resize");
  EXPECT_TRUE(moves_numbers(*resize));
  resize->set_attribute("mode", "linear");
  EXPECT_FALSE(moves_numbers(*resize));
  resize->set_attribute("mode", "nearest");
  EXPECT_TRUE(moves_numbers(*resize));
  const NodeRef cast = node("Cast");
  EXPECT_TRUE(moves_numbers(*cast));
  cast->inputs().append(Tensor::variable(cast->store(), "x", DataType::kInt64, std::nullopt));
  EXPECT_FALSE(moves_numbers(*cast));
  const NodeRef scatter = node("ScatterND");
  EXPECT_TRUE(moves_numbers(*scatter));
  scatter->set_attribute("reduction", "add");
  EXPECT_FALSE(moves_numbers(*scatter));
}

TEST(OperatorFacts, AxesOfFactors) {
  const NodeRef gemm = node("Gemm");
  EXPECT_EQ(summed_axis(*gemm, 0), -1);
  EXPECT_EQ(summed_axis(*gemm, 1), -2);
  gemm->set_attribute("transB", int64_t{1});
  EXPECT_EQ(summed_axis(*gemm, 1), -1);
  EXPECT_EQ(summed_axis(*gemm, 0), -1);
  EXPECT_EQ(summed_axis(*node("Conv"), 1), 1);
  EXPECT_EQ(summed_axis(*node("ConvTranspose"), 1), 0);
  EXPECT_EQ(summed_axis(*node("ConvTranspose"), 0), 1);
  EXPECT_EQ(summed_axis(*node("QLinearMatMul"), 3), -2);
}

}  // namespace
}  // namespace graphsurgeon
