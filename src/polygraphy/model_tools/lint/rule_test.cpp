#include "polygraphy/model_tools/lint/rule.h"

#include <gmock/gmock.h>

#include "polygraphy/model_tools/lint/lint.h"
#include "polygraphy/model_tools/lint/testdata/rule_test.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

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
