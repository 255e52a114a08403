#include "graphsurgeon/passes/insert_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "graphsurgeon/passes/testdata/texts.h"

namespace graphsurgeon {
namespace {

using testing::HasSubstr;

constexpr std::string_view kModel = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[N] x) => (float[N] y, float[N] z) {
  a = Relu (x)
  b = Exp (a)
  y = Neg (b)
  z = Tanh (a)
})";

std::string inserted(std::string_view text, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs) {
  Model model = parse_onnx_text(text);
  insert_node(
      model, {.op = "Foo", .inputs = find_all(model, inputs), .outputs = find_all(model, outputs)});
  return graph_text(model);
}

std::string refused(const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs) {
  try {
    return inserted(kModel, inputs, outputs);
  } catch (const polygraphy::Error& error) {
    return error.what();
  }
}

TEST(InsertNode, ReplacesWhatLayBetween) {
  EXPECT_EQ(inserted(kModel, {"a"}, {"y"}), R"(g (float[N] x) => (float[N] y, float[N] z) {
   a = Relu (x)
   y = Foo (a)
   z = Tanh (a)
})");
}

TEST(InsertNode, GoesBetweenATensorAndItsConsumers) {
  EXPECT_EQ(inserted(kModel, {"a"}, {"a"}), R"(g (float[N] x) => (float[N] y, float[N] z) {
   a = Relu (x)
   a_polygraphy_surgeon_insert_output = Foo (a)
   b = Exp (a_polygraphy_surgeon_insert_output)
   y = Neg (b)
   z = Tanh (a_polygraphy_surgeon_insert_output)
})");
}

TEST(InsertNode, AnOutputOfTheGraphKeepsItsName) {
  EXPECT_EQ(inserted(kModel, {"z"}, {"z"}),
            R"(g (float[N] x) => (float[N] y, float[] z)
   <float[N] z_polygraphy_surgeon_insert_output>
{
   a = Relu (x)
   b = Exp (a)
   y = Neg (b)
   z_polygraphy_surgeon_insert_output = Tanh (a)
   z = Foo (z_polygraphy_surgeon_insert_output)
})");
}

TEST(InsertNode, ManyInputsAndOutputs) {
  EXPECT_EQ(inserted(kModel, {"x", "a"}, {"y", "z"}),
            R"(g (float[N] x) => (float[N] y, float[N] z) {
   a = Relu (x)
   y, z = Foo (x, a)
})");
}

TEST(InsertNode, SortsWhereAConsumerStandsBefore) {
  EXPECT_EQ(inserted(R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[N] x) => (float[N] y, float[N] z) {
  a = Relu (x)
  y = Neg (a)
  b = Exp (x)
  z = Abs (b)
})",
                     {"b"}, {"a"}),
            R"(g (float[N] x) => (float[N] y, float[N] z) {
   b = Exp (x)
   a = Foo (b)
   z = Abs (b)
   y = Neg (a)
})");
}

TEST(InsertNode, ConsumersInSubgraphsAreRewired) {
  EXPECT_THAT(inserted(R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[4] x, bool c) => (float[4] y) {
  a = Relu (x)
  y = If (c) <then_branch = t () => (float[4] r) { r = Neg (a) },
              else_branch = e () => (float[4] s) { s = Identity (x) }>
})",
                       {"a"}, {"a"}),
              HasSubstr("r = Neg (a_polygraphy_surgeon_insert_output)"));
}

TEST(InsertNode, RefusesToFeedItself) {
  EXPECT_THAT(refused({"b"}, {"a"}), HasSubstr("cycle"));
  EXPECT_THAT(refused({"y"}, {"a"}), HasSubstr("cycle"));
}

TEST(InsertNode, RefusesToMakeAnInput) {
  EXPECT_EQ(refused({"b"}, {"x"}),
            "The new node Foo cannot produce the tensor 'x': it is an input of the model");
}

}  // namespace
}  // namespace graphsurgeon
