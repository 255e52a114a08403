#include <gmock/gmock.h>

#include "polygraphy/diagnosis/reduce/testdata/shrinker_test.h"
#include "polygraphy/models/candidates/model_size.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;
using testing::Not;

int64_t nodes_of(const graphsurgeon::Model& model) {
  return model_size(model).nodes;
}

TEST_F(ShrinkerTest, NodesGoFromABodyThatHasToStay) {
  const std::string left = shrink("body nodes", R"(<ir_version: 8, opset_import: ["": 17]>
    g (int64 n, bool c, float[2] x) => (float[2] y) {
      y = Loop(n, c, x) <body = b (int64 i, bool go, float[2] v) => (bool go_on, float[2] w) {
        go_on = Identity(go)  p = Neg(v)  q = Sin(p)  r = Cos(q)  s = Tanh(r)  w = Exp(s)
      }>
    })",
                                  has({"Loop", "Cos"}));
  EXPECT_THAT(left, HasSubstr("Cos (q)"));
  EXPECT_THAT(left, HasSubstr("float[2] q =  {0,0}"));
  EXPECT_THAT(left, HasSubstr("bool go_on =  {0}"));
  EXPECT_THAT(left, Not(HasSubstr("Neg")));
  EXPECT_THAT(left, Not(HasSubstr("Exp")));
  EXPECT_LE(asked_, 12);
}

TEST_F(ShrinkerTest, ABranchThatDoesNotMatterIsEmptied) {
  const std::string left = shrink("body nodes", R"(<ir_version: 8, opset_import: ["": 17]>
    g (bool c, float[2] x) => (float[2] y) {
      y = If(c) <then_branch = t () => (float[2] a) { p = Neg(x)  a = Sin(p) },
                 else_branch = e () => (float[2] b) { q = Abs(x)  b = Cos(q) }>
    })",
                                  has({"If", "Sin (p)", "Neg (x)"}));
  EXPECT_THAT(left, HasSubstr("b =  {0,0}"));
  EXPECT_THAT(left, Not(HasSubstr("Abs")));
}

TEST_F(ShrinkerTest, WhatHasNoKnownShapeStays) {
  const std::string left = shrink("body nodes", R"(<ir_version: 8, opset_import: ["": 17]>
    g (bool c, float[N] x) => (float[M] y) {
      y = If(c) <then_branch = t () => (float[A] a) { a = Sin(x) },
                 else_branch = e () => (float[B] b) { b = Cos(x) }>
    })",
                                  has({"If"}));
  EXPECT_EQ(left, "");
  EXPECT_EQ(asked_, 0);
}

TEST_F(ShrinkerTest, WhereShapesAreNotKnownInputsStandForOutputs) {
  const std::string left = shrink("body nodes", R"(<ir_version: 8, opset_import: ["": 17]>
    g (int64 n, bool c, float[N] x) => (float[M] y) {
      y = Loop(n, c, x) <body = b (int64 i, bool go, float[P] v) => (bool go_on, float[Q] w) {
        go_on = Identity(go)  p = Neg(v)  k = Exp(v)  q = Add(p, k)  r = Cos(q)  s = Tanh(r)
        w = Exp(s)
      }>
    })",
                                  has({"Loop", "Cos"}));
  EXPECT_THAT(left, HasSubstr("r = Cos (v)"));
  EXPECT_THAT(left, HasSubstr("(bool go_on, float[P] r)"));
  EXPECT_EQ(nodes_of(*result_), 2);
}

TEST_F(ShrinkerTest, NodesGoFromAFunctionThatHasToStay) {
  const std::string left = shrink("body nodes", R"(<ir_version: 8, opset_import: ["": 17, "f": 1]>
    g (float[2] x, float[2] z) => (float[2] y, float[2] u) { y, u = f.F(x, z) }
    <domain: "f", opset_import: ["": 17]> F (a, b) => (d, e) {
      p = Neg(a)  q = Sin(p)  k = Constant <value = float {3}> ()  r = Mul(q, k)  s = Cos(r)
      t = Add(s, b)  d = Exp(t)  e = Relu(t)
    })",
                                  has({"f.F", "Cos"}));
  EXPECT_THAT(left, HasSubstr("s = Cos (a)"));
  EXPECT_THAT(left, HasSubstr("=> (s, e)"));
  EXPECT_THAT(left, HasSubstr("e = Identity (s)"));
  EXPECT_EQ(nodes_of(*result_), 3);
}

// Nothing is given up for one node that cannot go.
TEST_F(ShrinkerTest, WhatNothingCanStandForStays) {
  const std::string left = shrink("body nodes", R"(<ir_version: 8, opset_import: ["": 17, "f": 1]>
    g (float[2] x) => (float[2] y) { y = f.F(x) }
    <domain: "f", opset_import: ["": 17]> F (a) => (d) {
      i = Constant <value = int64[2] {1, 0}> ()  p = Gather(a, i)  q = Cos(p)  d = Gather(q, i)
    })",
                                  has({"f.F", "Cos", "d = Gather"}));
  EXPECT_THAT(left, HasSubstr("Cos (a)"));
  EXPECT_EQ(nodes_of(*result_), 4);
}

}  // namespace
}  // namespace polygraphy
