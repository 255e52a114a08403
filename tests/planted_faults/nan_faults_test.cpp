// NaNs that come of values that only the whole model makes.

#include <gmock/gmock.h>

#include "planted_faults.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using testing::ElementsAre;

// Ten times, the root of v - 1 + `added`, where v is x at first, and then v - 1 of the time before.
std::string sums_roots(const std::string& added) {
  return R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] z)
    <int64 times = {10}, bool yes = {1}, float[2] one = {1, 1}, float[2] added = )" +
         added + R"(> {
      a = Identity(x)
      v, y = Loop(times, yes, a, a) <body = b (int64 i, bool go, float[2] p, float[2] sum)
          => (bool go_on, float[2] q, float[2] more) {
        go_on = Identity(go)  q = Sub(p, one)  r = Add(q, added)  s = Sqrt(r)  more = Add(sum, s)
      }>
      z = Relu(y)
    })";
}

// A root of a negative number, in a Loop that has to stay: its values are what the model makes.
TEST_F(PlantedFaults, ANaNInALoopThatHasToStay) {
  for (int i = 0; i < kPositions; ++i) {
    const Left left = reduce(
        model_with(60, {{{i * 3, in_loop(" p = Sub({x}, three) q = Identity(p) r = Sqrt(q) {y} = "
                                         "Floor(r)")}}}),
        gives_nan_within("Loop"));
    EXPECT_THAT(operators_of(left.model), ElementsAre("Loop", "Sqrt")) << i;
    EXPECT_LE(left.asked, bound(60 * 4, 12)) << i;
  }
}

// Only there, or in a loop before it, are there negative numbers.
TEST_F(PlantedFaults, ANaNInTheThirdIterationOfALoopThatHasToStay) {
  const Left left = reduce(sums_roots("{2, 2}"), gives_nan_within("Loop"));
  EXPECT_THAT(operators_of(left.model), ElementsAre("Loop", "Sqrt"));
  EXPECT_LE(left.asked, 60);
}

TEST_F(PlantedFaults, ANaNOfAnOuterValueInALoopThatHasToStay) {
  const Left left = reduce(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x, int64 n) => (float[2] z) <bool yes = {1}, float[2] three = {3, 3}> {
      k = Sub(x, three)
      a = Relu(x)
      y = Loop(n, yes, a) <body = b (int64 i, bool go, float[2] v) => (bool go_on, float[2] w) {
        go_on = Identity(go)  p = Exp(v)  s = Sqrt(k)  w = Add(p, s)
      }>
      z = Relu(y)
    })",
                           gives_nan_within("Loop"));
  EXPECT_THAT(operators_of(left.model), ElementsAre("Loop", "Sqrt"));
  EXPECT_LE(left.asked, 40);
}

TEST_F(PlantedFaults, ANaNTwoBodiesDeepThatHaveToStay) {
  const std::string branch =
      with_input(in_if(" p = Sub({x}, three) q = Identity(p) {y} = Sqrt(q)", true), "m");
  const Left left = reduce(
      model_with(60, {{{30, in_loop(" m = Relu({x}) " + branch)}}}), [&](const Model& model) {
        return operators_of(model).contains("If") ? gives_nan_within("Loop")(model) : "";
      });
  EXPECT_THAT(operators_of(left.model), ElementsAre("If", "Loop", "Sqrt"));
  EXPECT_LE(left.asked, bound(60 * 4, 30));
}

// In the second of three iterations of the outer loop, in the last one of the inner one.
TEST_F(PlantedFaults, ANaNInALaterIterationOfALoopInALoop) {
  const Left left = reduce(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] z)
    <int64 times = {3}, bool yes = {1}, float[2] one = {1, 1}, float[2] most = {4.5, 4.5}> {
      a = Relu(x)
      y = Loop(times, yes, a) <body = b (int64 i, bool go, float[2] v) => (bool go_on, float[2] w) {
        go_on = Identity(go)
        u = Identity(v)
        w = Loop(times, yes, u) <body = c (int64 k, bool on, float[2] p) => (bool on_on, float[2] h) {
          on_on = Identity(on)  q = Add(p, one)  r = Sub(most, q)  s = Abs(q)  t = Sqrt(r)
          f = Floor(t)  e = Sub(t, t)  h = Add(s, e)
        }>
      }>
      z = Relu(y)
    })",
                           [&](const Model& model) -> std::string {
                             const auto ops = operators_of(model);
                             return ops.count("Loop") == 2 ? gives_nan_within("Loop")(model) : "";
                           });
  EXPECT_THAT(operators_of(left.model), ElementsAre("Loop", "Loop", "Sqrt"));
  EXPECT_LE(left.asked, 80);
}

// The function has to stay; what its root reads comes from where it is called.
TEST_F(PlantedFaults, ANaNInAFunctionThatHasToStay) {
  const std::string function =
      function_around(" q = Sub({x}, a2) k = Identity(q) t = Sqrt(k) {y} = Floor(t)", "f");
  const auto within_function = [&](const Model& model) -> std::string {
    for (const auto& called : model.functions) {
      for (const auto& node : called->nodes()) {
        if (node->op() == "Sqrt") return gives_nan()(model);
      }
    }
    return "";
  };
  for (const bool in_a_loop : {false, true}) {
    std::string text = function;
    text.replace(text.find("(a)"), 3, "(a, a2)");
    const std::string call = "{y} = local.f({x}, three)";
    const Left left = reduce(
        model_with(
            60,
            {{{30, in_a_loop ? in_loop(" m = Relu({x}) " + with_input(call, "m")) : call}}, text}),
        [&](const Model& model) -> std::string {
          if (in_a_loop && !operators_of(model).contains("Loop")) return "";
          return within_function(model);
        });
    std::vector<std::string> wanted = {"Sqrt", "f"};
    if (in_a_loop) wanted.emplace_back("Loop");
    EXPECT_THAT(operators_of(left.model), testing::UnorderedElementsAreArray(wanted));
    EXPECT_LE(left.asked, 70);
  }
}

// NaN comes of values that only the model makes: a negative one, far before the root.
TEST_F(PlantedFaults, ANaNThatNeedsRecordedValues) {
  for (int i = 0; i < kPositions; ++i) {
    const int root = 4 + i * 4;
    Planted planted;
    planted.nodes[root % 2] = "{y} = Sub({x}, three)";
    for (int k = root % 2 + 2; k < root; k += 2) planted.nodes[k] = "{y} = Identity({x})";
    planted.nodes[root] = "{y} = Sqrt({x})";
    const Left left = reduce(model_with(90, planted), gives_nan());
    EXPECT_THAT(left.ops, ElementsAre("Sqrt")) << root;
    EXPECT_TRUE(left.model.graph->inputs().empty());
    EXPECT_LE(left.asked, bound(90, 0)) << root;
  }
}

// The values inside of bodies are worked out from those around them.
TEST_F(PlantedFaults, ANaNInABranchThatNeedsRecordedValues) {
  for (int i = 0; i < kPositions; ++i) {
    Planted planted;
    planted.nodes[i * 3] =
        in_if(" p = Sub({x}, three) q = Identity(p) r = Identity(q) {y} = Sqrt(r)", true);
    const Left left = reduce(model_with(60, planted), gives_nan());
    EXPECT_THAT(left.ops, ElementsAre("Sqrt")) << i;
    EXPECT_LE(left.asked, bound(60 * 4, 0)) << i;
  }
}

// Only the fourth of ten times is there a negative number: v - 1 + 3, with v in [0, 1) at first.
TEST_F(PlantedFaults, ANaNInALaterIteration) {
  const Left left = reduce(sums_roots("{3, 3}"), gives_nan());
  EXPECT_THAT(left.ops, ElementsAre("Sqrt"));
  EXPECT_LE(left.asked, 25);
}

}  // namespace
}  // namespace polygraphy
