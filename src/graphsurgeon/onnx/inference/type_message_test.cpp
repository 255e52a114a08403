#include "graphsurgeon/onnx/inference/type_message.h"

#include <google/protobuf/arena.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

class TypeMessageTest : public testing::Test {
 protected:
  Tensor& tensor(std::string_view name) { return *model_.graph->tensor_map().at(name); }

  Model model_ = parse_onnx_text(
      R"(g (float[N, 3] x, seq(float[N]) s) => (float[N, 3] y, int64 rank_not_known)
         <float[2] w = {1, 2}> { y = Add (x, w) rank_not_known = Size (s) })");
  google::protobuf::Arena arena_;
};

TEST_F(TypeMessageTest, WhatIsDeclaredIsInTheMessage) {
  const onnx::TypeProto* type = type_message(tensor("x"), arena_);
  ASSERT_TRUE(type != nullptr && type->has_tensor_type());
  EXPECT_EQ(type->tensor_type().elem_type(), onnx::TensorProto::FLOAT);
  ASSERT_EQ(type->tensor_type().shape().dim_size(), 2);
  EXPECT_EQ(type->tensor_type().shape().dim(0).dim_param(), "N");
  EXPECT_EQ(type->tensor_type().shape().dim(1).dim_value(), 3);
}

TEST_F(TypeMessageTest, OfAConstantItIsWhatTheValuesAre) {
  const onnx::TypeProto* type = type_message(tensor("w"), arena_);
  ASSERT_TRUE(type != nullptr);
  EXPECT_EQ(type->tensor_type().elem_type(), onnx::TensorProto::FLOAT);
  ASSERT_EQ(type->tensor_type().shape().dim_size(), 1);
  EXPECT_EQ(type->tensor_type().shape().dim(0).dim_value(), 2);
}

TEST_F(TypeMessageTest, ASequenceStaysOne) {
  const onnx::TypeProto* type = type_message(tensor("s"), arena_);
  ASSERT_TRUE(type != nullptr);
  EXPECT_TRUE(type->has_sequence_type());
}

TEST_F(TypeMessageTest, NegativeDimensionsAreNotKnown) {
  tensor("x").set_shape(DimList{-1, 3});
  const onnx::TypeProto* type = type_message(tensor("x"), arena_);
  ASSERT_TRUE(type != nullptr);
  EXPECT_FALSE(type->tensor_type().shape().dim(0).has_dim_value());
  EXPECT_EQ(type->tensor_type().shape().dim(1).dim_value(), 3);
}

TEST_F(TypeMessageTest, WhatTheTensorSaysAlreadyIsNotWritten) {
  for (const char* name : {"x", "s", "y"})
    EXPECT_FALSE(write_type(*type_message(tensor(name), arena_), tensor(name))) << name;
}

TEST_F(TypeMessageTest, AMorePreciseShapeIsWritten) {
  onnx::TypeProto type = *type_message(tensor("x"), arena_);
  type.mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_value(5);
  EXPECT_TRUE(write_type(type, tensor("x")));
  EXPECT_EQ(*tensor("x").shape(), (DimList{5, 3}));
  EXPECT_FALSE(write_type(type, tensor("x")));
}

TEST_F(TypeMessageTest, ConstantsAreNotTouched) {
  onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(onnx::TensorProto::DOUBLE);
  EXPECT_FALSE(write_type(type, tensor("w")));
  EXPECT_EQ(tensor("w").dtype(), DataType::kFloat32);
}

}  // namespace
}  // namespace graphsurgeon
