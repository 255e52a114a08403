#include "polygraphy/models/parts/exploded_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/arrays/array_map.h"
#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;
using graphsurgeon::to_onnx_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
    [a] a = Mul(x, w)
    [b] b = Exp(a)
    [c] y = Add(a, b)
  })";

ExplodedModel exploded(const char* text, const std::vector<NodePart>& parts,
                       const ArrayMap& values = {}) {
  Model model = parse_onnx_text(text);
  Logger quiet;
  graphsurgeon::infer_shapes(model, {}, quiet);
  return explode(model, parts, [&](const std::string& name) { return values.find(name); });
}

std::vector<std::string> outputs_of(const ExplodedModel& model) {
  std::vector<std::string> names;
  for (const ExplodedOutput& output : model.outputs)
    names.push_back(output.tensor + ">" + output.name);
  return names;
}

TEST(ExplodedModel, EveryNodeReadsInputs) {
  const ExplodedModel parts = exploded(kModel, {{0}, {1}, {2}});
  EXPECT_THAT(parts.inputs, ElementsAre("x", "a", "b"));
  EXPECT_THAT(outputs_of(parts), ElementsAre("a>a/alone", "b>b/alone", "y>y/alone"));
  const std::string text = to_onnx_text(parts.model);
  EXPECT_THAT(text, HasSubstr("[a] \"a/alone\" = Mul (x, w)"));
  EXPECT_THAT(text, HasSubstr("[c] \"y/alone\" = Add (a, b)"));
  graphsurgeon::check_model(parts.model);
}

TEST(ExplodedModel, ATensorThatIsReadTwiceIsOneInput) {
  const ExplodedModel parts = exploded(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) { a = Neg(x) y = Mul(a, a) })",
                                       {{0}, {1}});
  EXPECT_THAT(parts.inputs, ElementsAre("x", "a"));
  graphsurgeon::check_model(parts.model);
}

TEST(ExplodedModel, PartsKeepWhatOnlyTheyUse) {
  const ExplodedModel parts = exploded(kModel, {{1, 2}});
  EXPECT_THAT(parts.inputs, ElementsAre("a"));
  EXPECT_THAT(outputs_of(parts), ElementsAre("y>y/alone"));
  EXPECT_THAT(to_onnx_text(parts.model), Not(HasSubstr("Mul")));
}

TEST(ExplodedModel, WhatOthersReadIsAnOutput) {
  EXPECT_THAT(outputs_of(exploded(kModel, {{0, 1}})), ElementsAre("a>a/alone", "b>b/alone"));
}

TEST(ExplodedModel, ShortListsOfIntegersAreConstants) {
  const ExplodedModel parts = exploded(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2, 3] x, int64[1] s) => (float[N] y) { t = Neg(s) y = Reshape(x, t) })",
                                       {{1}}, {{"t", Array::of<int64_t>({1}, {-1})}});
  EXPECT_THAT(parts.inputs, ElementsAre("x"));
  EXPECT_THAT(to_onnx_text(parts.model), HasSubstr("t =  {-1}"));
}

TEST(ExplodedModel, BodiesReadInputsToo) {
  const ExplodedModel parts = exploded(R"(<ir_version: 8, opset_import: ["": 17]>
    g (bool c, float[2] x) => (float[2] y) {
      a = Neg(x)
      y = If(c) <then_branch = t () => (p) { p = Exp(a) }, else_branch = e () => (q) { q = Abs(a) }>
    })",
                                       {{0}, {1}});
  EXPECT_THAT(parts.inputs, ElementsAre("x", "c", "a"));
  graphsurgeon::check_model(parts.model);
}

TEST(ExplodedModel, ShapesAreThoseOfTheValues) {
  const ExplodedModel parts = exploded(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[N] x) => (float[N] y) { a = Neg(x) y = Exp(a) })",
                                       {{1}}, {{"a", Array::zeros(DataType::kFloat32, {5})}});
  EXPECT_THAT(to_onnx_text(parts.model), HasSubstr("float[5] a"));
}

}  // namespace
}  // namespace polygraphy
