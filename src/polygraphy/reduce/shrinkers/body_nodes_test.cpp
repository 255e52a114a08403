#include <gmock/gmock.h>

#include "polygraphy/reduce/testdata/shrinker_test.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;
using testing::Not;

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

}  // namespace
}  // namespace polygraphy
