// A planted node, or a pair, that fails anywhere.

#include <gmock/gmock.h>

#include <set>

#include "graphsurgeon/ir/graph.h"
#include "planted_faults.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using testing::ElementsAre;

TEST_F(PlantedFaults, ACrash) {
  one_everywhere(200, [](int) { return Planted{{{-1, "{y} = Softsign({x})"}}}; }, bound(200, 0));
}

// The result fails like the whole model, although a smaller part that fails differently is found
// first.
TEST_F(PlantedFaults, AMismatchAmongOtherFailures) {
  for (int i = 0; i < kPositions; ++i) {
    const int position = 3 + i * 6;
    const Left left = reduce(model_with(130, {{{position, "{y} = Softsign({x})"},
                                               {position - 2, "{y} = Cos({x})"},
                                               {position + 5, "{y} = Cos({x})"}}}),
                             needs({"Softsign"}, "Cos"));
    EXPECT_THAT(left.ops, ElementsAre("Softsign")) << position;
    EXPECT_LE(left.asked, bound(130, 0));
  }
}

TEST_F(PlantedFaults, APairFarApart) {
  for (int i = 0; i < kPositions; ++i) {
    const int first = i * 3, second = 199 - i * 4;
    const Left left =
        reduce(model_with(200, {{{first, "{y} = Softsign({x})"}, {second, "{y} = Cos({x})"}}}),
               needs({"Softsign", "Cos"}));
    EXPECT_THAT(std::set<std::string>(left.ops.begin(), left.ops.end()),
                ElementsAre("Cos", "Softsign"));
    EXPECT_EQ(left.ops.size(), 2u) << first;
    EXPECT_LE(left.asked, bound(200, 8)) << first;
  }
}

// Of a pair, one is enough with the values that the model gives it.
TEST_F(PlantedFaults, APairOrOneOfItOnRecordedValues) {
  const Fault fault = [](const Model& model) -> std::string {
    const auto ops = operators_of(model);
    for (const auto& node : model.graph->nodes()) {
      if (node->op() != "Softsign") continue;
      if (ops.contains("Cos") || node->inputs()[0]->is_constant()) return "exited with signal 11";
    }
    return "";
  };
  for (int i = 0; i < kPositions; ++i) {
    const Left left = reduce(
        model_with(60, {{{3 + i * 2, "{y} = Softsign({x})"}, {4 + i * 2, "{y} = Cos({x})"}}}),
        fault);
    EXPECT_THAT(left.ops, ElementsAre("Softsign")) << i;
    EXPECT_NE(fault(left.model), "") << i;
  }
}

// Values on one sample do not hold on the other, so nothing is frozen.
TEST_F(PlantedFaults, OnlyWithTheSecondSample) {
  for (int i = 0; i < kPositions; ++i) {
    const int position = i * 5;
    bool frozen = false;
    const Left left = reduce(
        model_with(100, {{{position, "{y} = Softsign({x})"}, {99, "{y} = Cos({x})"}}}),
        [&](const Model& model) {
          frozen |= model.graph->initializers().size() > 2;
          return needs({"Softsign", "Cos"})(model);
        },
        2);
    EXPECT_EQ(left.ops.size(), 2u) << position;
    EXPECT_FALSE(frozen);
    EXPECT_LE(left.asked, bound(100, 0));
  }
}

// Then nothing can be recorded; types and shapes are what the model declares.
TEST_F(PlantedFaults, InAModelThatNoInputsAreMadeFor) {
  const Left left = reduce(R"(<ir_version: 8, opset_import: ["": 17]>
    g (seq(float[2]) s) => (float[2] y)
    <int64 first = {0}, float[2] a, float[2] b, float[2] c, float[2] d, float[2] e> {
      a = SequenceAt(s, first)  b = Neg(a)  c = Abs(b)  d = Softsign(c)  e = Exp(d)  y = Relu(e)
    })",
                           needs({"Softsign"}));
  EXPECT_THAT(left.ops, ElementsAre("Softsign"));
}

// Nothing can be run, then, and a body be looked into only as far as its shapes are declared.
TEST_F(PlantedFaults, InABodyOfAModelThatNoInputsAreMadeFor) {
  const Left left = reduce(R"(<ir_version: 8, opset_import: ["": 17]>
    g (seq(float[2]) s, bool c) => (float[2] y)
    <int64 first = {0}, float[2] a, float[2] b> {
      a = SequenceAt(s, first)
      b = If(c) <then_branch = t () => (float[2] p) { o = Softsign(a)  p = Exp(o) },
                 else_branch = e () => (float[2] q) { q = Abs(a) }>
      y = Relu(b)
    })",
                           [](const Model& model) -> std::string {
                             // The main graph alone does not show it.
                             const auto& outputs = model.graph->outputs();
                             return outputs.size() > 3 ? needs({"Softsign"})(model) : "";
                           });
  EXPECT_TRUE(operators_of(left.model).contains("Softsign"));
}

// Every other time, so that it never hides three times in a row.
TEST_F(PlantedFaults, AFlakyOne) {
  for (int i = 0; i < kPositions; ++i) {
    const int position = i * 7;
    int asked = i;
    const Left left = reduce(model_with(140, {{{position, "{y} = Softsign({x})"}}}),
                             [&](const Model& model) -> std::string {
                               const std::string how = needs({"Softsign"})(model);
                               return !how.empty() && ++asked % 2 == 0 ? "" : how;
                             });
    EXPECT_THAT(left.ops, ElementsAre("Softsign")) << position;
    EXPECT_LE(left.asked, 3 * bound(140, 0));
  }
}

}  // namespace
}  // namespace polygraphy
