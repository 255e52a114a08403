#include "graphsurgeon/onnx/schema.h"

#include <gtest/gtest.h>

#include <climits>

namespace graphsurgeon {
namespace {

TEST(Schema, IsTheNewestFormNotNewerThanTheImportedVersion) {
  EXPECT_EQ(find_schema("Add", 6)->since_version(), 6);
  EXPECT_EQ(find_schema("Add", 12)->since_version(), 7);
  EXPECT_EQ(find_schema("Add", 13)->since_version(), 13);
  EXPECT_EQ(find_schema("Add", 1000)->since_version(), 14);
  EXPECT_EQ(find_schema("Gelu", 19), std::nullopt);
  EXPECT_EQ(find_schema("Gelu", 0), std::nullopt);
}

TEST(Schema, BelongsToADomain) {
  EXPECT_EQ(find_schema("Add", 13, "ai.onnx")->domain(), "");
  EXPECT_EQ(find_schema("Add", 1, "ai.onnx.ml"), std::nullopt);
  EXPECT_EQ(find_schema("Scaler", 1, "ai.onnx.ml")->op(), "Scaler");
  EXPECT_EQ(find_schema("Scaler", 1, "com.example"), std::nullopt);
}

TEST(Schema, NamesInputsAndOutputsWithTheirArity) {
  const OpSchema conv = *find_schema("Conv", 11);
  const auto inputs = conv.inputs();
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[0].name, "X");
  EXPECT_EQ(inputs[0].type, "T");
  EXPECT_EQ(inputs[0].arity, Arity::kSingle);
  EXPECT_EQ(inputs[2].name, "B");
  EXPECT_EQ(inputs[2].arity, Arity::kOptional);
  EXPECT_EQ(conv.min_inputs(), 2);
  EXPECT_EQ(conv.max_inputs(), 3);

  const OpSchema concat = *find_schema("Concat", 13);
  EXPECT_EQ(concat.inputs()[0].arity, Arity::kVariadic);
  EXPECT_EQ(concat.inputs()[0].min_count, 1);
  EXPECT_EQ(concat.max_inputs(), INT_MAX);
  EXPECT_EQ(concat.outputs()[0].name, "concat_result");
}

TEST(Schema, NamesAttributesInOrder) {
  const auto attributes = find_schema("Cast", 19)->attributes();
  ASSERT_EQ(attributes.size(), 2u);
  EXPECT_EQ(attributes[0].name, "saturate");
  EXPECT_FALSE(attributes[0].required);
  EXPECT_EQ(attributes[1].name, "to");
  EXPECT_EQ(attributes[1].type, AttributeType::kInt);
  EXPECT_TRUE(attributes[1].required);
}

TEST(Schema, KnowsWhatIsDeprecatedAndWhatIsRandom) {
  EXPECT_FALSE(find_schema("Upsample", 9)->deprecated());
  EXPECT_TRUE(find_schema("Upsample", 10)->deprecated());
  EXPECT_EQ(find_schema("Add", 14)->deterministic(), true);
  EXPECT_EQ(find_schema("RandomNormal", 22)->deterministic(), false);
  EXPECT_TRUE(find_schema("MatMul", 13)->infers_shapes());
}

TEST(Schema, LatestVersions) {
  EXPECT_GE(latest_opset().value(), 24);
  EXPECT_EQ(latest_opset("ai.onnx"), latest_opset());
  EXPECT_GE(latest_opset("ai.onnx.ml").value(), 5);
  EXPECT_EQ(latest_opset("com.example"), std::nullopt);
  EXPECT_GE(latest_ir_version(), 12);
}

}  // namespace
}  // namespace graphsurgeon
