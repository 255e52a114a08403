#include <gmock/gmock.h>

#include "polygraphy/model_tools/lint/testdata/rule_test.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

TEST(UnusedNodesRule, NamesNodesThatNoOutputDependsOn) {
  const char* const text = R"(g (float[2] x, float[2] z) => (float[2] y) {
    [b] u = Relu(z)
    [a] v = Neg(u)
    y = Neg(x)
  })";
  EXPECT_THAT(findings("unused-nodes", text),
              ElementsAre("a: Does not affect outputs, can be removed.",
                          "b: Does not affect outputs, can be removed."));
}

TEST(UnusedNodesRule, WhatSubgraphsCaptureIsNeeded) {
  EXPECT_THAT(findings("unused-nodes", R"(g (bool c, float[2] x) => (float[2] y) {
                [outer] a = Relu(x)
                [idle] b = Neg(a)
                [if] y = If (c) <
                  then_branch = t () => (float[2] p) { p = Neg(a) },
                  else_branch = e () => (float[2] q) { q = Neg(x) }
                >
              })"),
              ElementsAre("idle: Does not affect outputs, can be removed."));
}

// Here a node makes a tensor that has a value already.
TEST(UnusedNodesRule, WhatMakesAConstantIsNotNeeded) {
  EXPECT_THAT(findings("unused-nodes", R"(g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
                [late] w = Relu(x)
                [sum] y = Add(x, w)
              })"),
              ElementsAre("late: Does not affect outputs, can be removed."));
}

}  // namespace
}  // namespace polygraphy
