#include "graphsurgeon/passes/extract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/passes/tensor_lookup.h"
#include "graphsurgeon/passes/testdata/texts.h"

namespace graphsurgeon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kChain = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[N] x) => (float[N] y, float[N] z) <float[1] w = {2}, float[1] v = {3}> {
  a = Relu (x)
  b = Mul (a, w)
  y = Add (b, v)
  z = Tanh (a)
})";

std::string extracted(std::string_view text, const std::vector<std::string>& inputs,
                      const std::vector<std::string>& outputs) {
  Model model = parse_onnx_text(text);
  extract(model, find_all(model, inputs), find_all(model, outputs));
  return graph_text(model);
}

std::vector<std::string> undefined(const Model& model) {
  std::vector<std::string> names;
  for (const Tensor* tensor : undefined_tensors(*model.graph)) names.emplace_back(tensor->name());
  return names;
}

TEST(Extract, KeepsWhatLiesBetween) {
  EXPECT_EQ(extracted(kChain, {"a"}, {"y"}), R"(g (a) => (float[N] y)
   <float[1] w =  {2}, float[1] v =  {3}>
{
   b = Mul (a, w)
   y = Add (b, v)
})");
}

TEST(Extract, DropsWeightsThatAreNotNeeded) {
  EXPECT_EQ(extracted(kChain, {"a"}, {"z"}), R"(g (a) => (float[N] z) {
   z = Tanh (a)
})");
}

// The checker refuses a model of that version where one is missing.
TEST(Extract, WeightsOfOldModelsStayInputs) {
  EXPECT_EQ(extracted(R"(<ir_version: 3, opset_import: ["" : 9]>
g (float[1] x, float[1] v, float[1] w) => (float[1] y) <float[1] v = {1}, float[1] w = {2}> {
  a = Mul (x, v)
  y = Add (a, w)
})",
                      {"a"}, {"y"}),
            R"(g (a, float[1] w) => (float[1] y)
   <float[1] w =  {2}>
{
   y = Add (a, w)
})");
}

TEST(Extract, AnInputMayBeAnOutput) {
  EXPECT_EQ(extracted(kChain, {"b"}, {"b"}), "g (b) => (b) {\n}");
}

TEST(Extract, ConstantsNeedNoInput) {
  EXPECT_EQ(extracted(kChain, {}, {"w"}), "g () => (float[1] w)\n   <float[1] w =  {2}>\n{\n}");
}

// The original takes the slot away, and the second output becomes the first.
TEST(Extract, OtherOutputsOfANodeStayInTheirPlaces) {
  EXPECT_EQ(extracted(R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[4] x) => (float[2] a, float[2] b) {
  p, q = Split (x)
  a = Relu (p)
  b = Relu (q)
})",
                      {"p", "x"}, {"a", "b"}),
            R"(g (p, float[4] x) => (float[2] a, float[2] b) {
   p_unused, q = Split (x)
   a = Relu (p)
   b = Relu (q)
})");
}

TEST(Extract, NewNamesAreTakenByNoSubgraph) {
  EXPECT_THAT(extracted(R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[4] x, bool c) => (float[2] y) {
  p, q = Split (x)
  i = If (c) <then_branch = t () => (float[2] r) { p_unused = Relu (q) r = Neg (p_unused) },
              else_branch = e () => (float[2] s) { s = Identity (q) }>
  y = Add (i, p)
})",
                        {"p", "x", "c"}, {"y"}),
              testing::HasSubstr("p_unused_1, q = Split (x)"));
}

TEST(Extract, CapturesOfSubgraphsAreUses) {
  EXPECT_THAT(
      extracted(R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[4] x, bool c) => (float[4] y) {
  a = Relu (x)
  b = Exp (a)
  y = If (c) <then_branch = t () => (float[4] r) { r = Neg (b) },
              else_branch = e () => (float[4] s) { s = Identity (a) }>
})",
                {"a", "c"}, {"y"}),
      testing::AllOf(testing::HasSubstr("b = Exp (a)"), testing::Not(testing::HasSubstr("Relu"))));
}

TEST(UndefinedTensors, NoneInAWholeModel) {
  EXPECT_THAT(undefined(parse_onnx_text(kChain)), IsEmpty());
}

TEST(UndefinedTensors, InputsThatWereForgotten) {
  Model model = parse_onnx_text(kChain);
  extract(model, find_all(model, {"b"}), find_all(model, {"y", "z"}));
  EXPECT_THAT(undefined(model), ElementsAre("x"));
}

TEST(UndefinedTensors, OutputsThatDependOnNothing) {
  Model model = parse_onnx_text(kChain);
  extract(model, find_all(model, {"b"}), find_all(model, {"x"}));
  EXPECT_THAT(undefined(model), ElementsAre("x"));
}

TEST(UndefinedTensors, SubgraphsSeeTheirOwnInputs) {
  Model model = parse_onnx_text(R"(<ir_version: 10, opset_import: ["" : 17]>
g (int64 n, bool c, float[4] x) => (float[4] y) {
  a = Relu (x)
  y = Loop (n, c, x) <body = b (int64 i, bool k, float[4] s) => (bool k_out, float[4] t) {
    k_out = Identity (k)
    t = Add (s, a)
  }>
})");
  EXPECT_THAT(undefined(model), IsEmpty());
  extract(model, find_all(model, {"n", "c", "a"}), find_all(model, {"y"}));
  EXPECT_THAT(undefined(model), ElementsAre("x"));
}

TEST(TensorLookup, SuggestsTheNearestName) {
  const Model model = parse_onnx_text(R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[4] image) => (float[4] logits) { logits = Relu (image) })");
  try {
    TensorLookup(*model.graph).get("logit");
    FAIL();
  } catch (const polygraphy::Error& error) {
    EXPECT_STREQ(error.what(), "Tensor: logit does not exist in the model.");
    EXPECT_EQ(error.hint(), "Did you mean 'logits'?");
  }
}

}  // namespace
}  // namespace graphsurgeon
