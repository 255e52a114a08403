#include <gmock/gmock.h>

#include "polygraphy/diagnosis/reduce/testdata/shrinker_test.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

TEST_F(ShrinkerTest, DimensionsOfInputsAndWeightsBecomeOne) {
  const std::string left = shrink("shapes", R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[8, 4] x) => (float[8, 2] y) <float[4, 2] w = {1, 2, 3, 4, 5, 6, 7, 8}> {
      m = MatMul(x, w)  y = Relu(m) })",
                                  has({"MatMul"}));
  EXPECT_THAT(left, HasSubstr("float[1,1] x"));
  EXPECT_THAT(left, HasSubstr("float[1,1] w =  {1}"));
  EXPECT_THAT(left, HasSubstr("float[1,1] y"));
  EXPECT_EQ(asked_, 1);
}

TEST_F(ShrinkerTest, ShapesInConstantsFollow) {
  const std::string left = shrink("shapes", R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[16, 6, 10] x) => (float[16, 60] y) <int64[2] s = {16, -1}> { y = Reshape(x, s) })",
                                  has({"6,10] x"}));
  EXPECT_THAT(left, HasSubstr("float[1,6,10] x"));
  EXPECT_THAT(left, HasSubstr("int64[2] s =  {1,-1}"));
}

TEST_F(ShrinkerTest, DimensionsAreHalvedWhereOneIsTooLittle) {
  const std::string left = shrink("shapes", R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4, 100] x) => (float[4, 100] y) { y = Softsign(x) })",
                                  [](const std::string& text) {
                                    return text.find("100]") != text.npos ||
                                           text.find("50]") != text.npos ||
                                           text.find("25]") != text.npos;
                                  });
  EXPECT_THAT(left, HasSubstr("float[1,25] x"));
  EXPECT_LE(asked_, 8);
}

TEST_F(ShrinkerTest, WhatInferenceRefusesIsNotAskedFor) {
  // 1 is not a multiple of the block; 2 x 2 windows do not fit.
  shrink("shapes", R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[1, 4, 1, 1] x) => (float[1, 1, 2, 2] y) { y = DepthToSpace <blocksize = 2> (x) })",
         has({"DepthToSpace"}));
  EXPECT_EQ(asked_, 0);
}

TEST_F(ShrinkerTest, FactorsOfADimensionGoWithIt) {
  const std::string left = shrink("shapes", R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[1, 1152] x) => (float[3, 12, 32] y) <int64[3] s = {3, 12, 32}> { y = Reshape(x, s) })",
                                  has({"Reshape"}));
  EXPECT_THAT(left, HasSubstr("float[1,1] x"));
  EXPECT_THAT(left, HasSubstr("s =  {1,1,1}"));
  EXPECT_EQ(asked_, 1);
}

TEST_F(ShrinkerTest, AReshapeStaysPossible) {
  const std::string left = shrink("shapes", R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2, 3, 4] x) => (float[2, 12] y) <int64[2] s = {2, 12}> { y = Reshape(x, s) })",
                                  has({"12}"}));
  EXPECT_THAT(left, HasSubstr("float[1,3,4] x"));
  EXPECT_THAT(left, HasSubstr("s =  {1,12}"));
  EXPECT_EQ(asked_, 2);
}

TEST_F(ShrinkerTest, ShapesThatContradictEachOtherStay) {
  EXPECT_EQ(shrink("shapes", R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[1, 2352] x) => (float[1, 2351] y) <int64[2] s = {1, 2351}> { y = Reshape(x, s) })",
                   has({"Reshape"})),
            "");
  EXPECT_EQ(asked_, 0);
}

TEST_F(ShrinkerTest, OpenDimensionsBecomeOne) {
  const std::string text = R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[N, 3, H, W] x) => (float[N, 3, H, W] y) { y = Relu(x) })";
  EXPECT_THAT(shrink("shapes", text, has({"Relu"})),
              HasSubstr("(float[1,1,1,1] x) => (float[1,1,1,1] y)"));
  EXPECT_EQ(asked_, 1);
  EXPECT_THAT(shrink("shapes", text, has({",3,"})), HasSubstr("float[1,3,1,1] x"));
  EXPECT_EQ(shrink("shapes", text, has({"N,3,H,W"})), "");
}

TEST_F(ShrinkerTest, OneExtentAfterTheOther) {
  const std::string left = shrink("shapes", convolution(), [](const std::string& text) {
    return text.find("float[4,2,3,3] w") != text.npos || text.find("float[4,1,3,3] w") != text.npos;
  });
  EXPECT_THAT(left, HasSubstr("float[4,1,3,3] w"));
  EXPECT_LE(asked_, 12);
}

}  // namespace
}  // namespace polygraphy
