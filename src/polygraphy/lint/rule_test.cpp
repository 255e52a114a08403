#include "polygraphy/lint/rule.h"

#include <gmock/gmock.h>

#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/lint/lint.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// What one rule says: "node: message".
std::vector<std::string> findings(std::string_view rule, const char* text) {
  const graphsurgeon::Model model = graphsurgeon::parse_onnx_text(text);
  const std::vector<std::string> names = name_nodes(*model.graph);
  std::vector<Finding> found;
  for (const LintRule* each : lint_rules()) {
    if (each->name == rule) each->check({model, names}, found);
  }
  std::vector<std::string> result;
  for (const Finding& finding : found) result.push_back(finding.node + ": " + finding.message);
  return result;
}

TEST(NodeNames, GoAroundThoseThatAreTaken) {
  const auto model = graphsurgeon::parse_onnx_text(
      R"(g (float[2] x) => (float[2] y) {
        a = Relu(x)
        [polygraphy_unnamed_node_0] b = Neg(a)
        y = Relu(b)
      })");
  EXPECT_THAT(name_nodes(*model.graph),
              ElementsAre("polygraphy_unnamed_node_0_0", "polygraphy_unnamed_node_0",
                          "polygraphy_unnamed_node_2"));
}

TEST(Rules, DuplicateNodeNames) {
  EXPECT_THAT(findings("duplicate-node-names", R"(g (float[2] x) => (float[2] y) {
                [n] a = Relu(x)
                [m] b = Relu(a)
                [n] y = Neg(b)
              })"),
              ElementsAre("n: Duplicate node name: 'n' for nodes with topological IDs: [0, 2] "
                          "found."));
}

TEST(Rules, UnusedNodesAndInputs) {
  const char* const text = R"(g (float[2] x, float[2] z) => (float[2] y) {
    [b] u = Relu(z)
    [a] v = Neg(u)
    y = Neg(x)
  })";
  EXPECT_THAT(findings("unused-nodes", text),
              ElementsAre("a: Does not affect outputs, can be removed.",
                          "b: Does not affect outputs, can be removed."));
  EXPECT_THAT(findings("unused-inputs", text),
              ElementsAre(": Input: 'z' does not affect outputs, can be removed."));
}

TEST(Rules, OpsetMisuse) {
  EXPECT_THAT(findings("opset-misuse", R"(<ir_version: 8, opset_import: ["": 17]>
              g (float[2] x) => (float[2] y) {
                [new] a = Gelu(x)
                [old] b = Upsample(a)
                [unknown] y = Flarp(b)
              })"),
              ElementsAre("new: Gelu is there from version 20 on; the model imports version 17 of "
                          "'ai.onnx'",
                          "old: Upsample is deprecated since version 10; the model imports version "
                          "17 of 'ai.onnx'"));
}

TEST(Rules, AttributeMisuse) {
  EXPECT_THAT(findings("attribute-misuse", R"(g (float[2] x) => (float[2] y) {
                [r] a = Relu <alpha = 1.0> (x)
                [c] b = Cast (a)
                [s] c = Softmax <axis = 1.0> (b)
                [fine] y = Softmax <axis = 0> (c)
              })"),
              ElementsAre("r: Relu (version 14) has no attribute 'alpha'",
                          "c: Cast (version 19) lacks its attribute 'to'",
                          "s: Attribute 'axis' of Softmax (version 13) is of another type than the "
                          "standard's"));
}

// What the model defines itself is no operator of the standard, in whatever spelling it is called.
TEST(Rules, FunctionsOfTheModelAreNoOperatorsOfTheStandard) {
  const char* const text = R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) {
      a = Gelu <strength = 2> (x)
      y = ai.onnx.Relu <strength = 2> (a)
    }
    <domain: "ai.onnx", opset_import: ["": 17]> Gelu <strength> (x) => (y) { y = Neg(x) }
    <domain: "", opset_import: ["": 17]> Relu <strength> (x) => (y) { y = Neg(x) }
  )";
  EXPECT_THAT(findings("opset-misuse", text), IsEmpty());
  EXPECT_THAT(findings("attribute-misuse", text), IsEmpty());
}

TEST(Rules, DanglingCaptures) {
  EXPECT_THAT(findings("dangling-captures", R"(g (bool c, float[2] x) => (float[2] y) {
                y = If (c) <
                  then_branch = t () => (float[2] p) { p = Neg(x) },
                  else_branch = e () => (float[2] q) { q = Neg(lost) }
                >
              })"),
              ElementsAre(testing::HasSubstr("Tensor 'lost' is used, but no node makes it")));
}

TEST(Rules, DuplicateTensorNames) {
  EXPECT_THAT(findings("duplicate-tensor-names", R"(g (float[2] x, float[2] x) => (float[2] y)
              <float[2] w = {1, 2}> {
                a = Relu(x)
                w = Neg(a)
                a = Neg(w)
                y = Neg(a)
              })"),
              ElementsAre(": Tensor name 'x' is an input twice.",
                          ": Tensor name 'w' is made by a node, and has a value before that.",
                          ": Tensor name 'a' is made by a node, and has a value before that."));
}

TEST(Rules, QuantizePairs) {
  EXPECT_THAT(findings("quantize-pairs", R"(g (float[2] x) => (float[2] y)
              <float s = {0.5}, float same = {0.5}, float t = {0.25}, float zero = {0}> {
                [q] a = QuantizeLinear(x, s)
                [fine] b = DequantizeLinear(a, same)
                [d] c = DequantizeLinear(a, t)
                [z] e = QuantizeLinear(c, zero)
                y = Add(b, c)
              })"),
              ElementsAre("d: It has another scale than the QuantizeLinear 'q' in front of it.",
                          "z: Its scale is not positive everywhere."));
}

TEST(Rules, Float64Constants) {
  const char* const body = R"( => (float[2] y) <double[1] w = {1}> {
    v = Cast <to = 1> (w)
    y = Add(v, v)
  })";
  EXPECT_THAT(findings("float64-constants", (std::string("g (float[2] x)") + body).c_str()),
              ElementsAre(testing::HasSubstr("Constant w is float64 (1 elements)")));
  EXPECT_THAT(findings("float64-constants", (std::string("g (double[2] x)") + body).c_str()),
              IsEmpty());
}

TEST(Rules, Int64Overflow) {
  EXPECT_THAT(
      findings("int64-overflow", R"(g (int64[2] x) => (int64[2] y)
      <int64[1] fits = {2147483647}, int64[1] end = {9223372036854775807}, int64[2] k = {1, 3000000000}> {
        y = Add(x, k)
      })"),
      ElementsAre(": Constant k holds 3000000000, which overflows where an engine calculates with "
                  "int32."));
}

TEST(Rules, DeadOutputs) {
  EXPECT_THAT(findings("dead-outputs", R"(g (float[4] x) => (float[2] y) {
                [s] y, b = Split <num_outputs = 2> (x)
                [unused] c = Neg(x)
              })"),
              ElementsAre("s: Its output 'b' is read by nobody."));
}

TEST(Rules, FindNothingInAGoodModel) {
  for (const LintRule* rule : lint_rules()) {
    if (!rule->check) continue;
    EXPECT_THAT(
        findings(rule->name, R"(g (bool c, float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
                  [a] b = Add(x, w)
                  [i] y = If (c) <
                    then_branch = t () => (float[2] p) { p = Neg(b) },
                    else_branch = e () => (float[2] q) { q = Add(b, w) }
                  >
                })"),
        IsEmpty())
        << rule->name;
  }
}

TEST(SelectedRules, AdviceOnlyWhereAsked) {
  const auto has = [](const LintOptions& options, std::string_view name) {
    for (const LintRule* rule : selected_rules(options)) {
      if (rule->name == name) return true;
    }
    return false;
  };
  EXPECT_FALSE(has({}, "dead-outputs"));
  EXPECT_TRUE(has({.advice = true}, "dead-outputs"));
  EXPECT_TRUE(has({.only = {"dead-outputs"}}, "dead-outputs"));
  EXPECT_FALSE(has({.only = {"dead-outputs"}}, "runs"));
  EXPECT_FALSE(has({.skip = {"runs"}}, "runs"));
  EXPECT_THROW(selected_rules({.skip = {"run"}}), Error);
}

}  // namespace
}  // namespace polygraphy
