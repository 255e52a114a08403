#include <gmock/gmock.h>

#include "polygraphy/diagnosis/reduce/testdata/shrinker_test.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

TEST_F(ShrinkerTest, AttributesWithADefaultGo) {
  const std::string left = shrink("attributes", convolution(), has({"Conv", "LeakyRelu"}));
  EXPECT_THAT(left, HasSubstr("c = Conv (x, w)"));
  EXPECT_THAT(left, HasSubstr("y = LeakyRelu (c)"));
  EXPECT_THAT(left, HasSubstr("float[2,4,30,30] y"));
  EXPECT_EQ(asked_, 1);
}

TEST_F(ShrinkerTest, AttributesThatTheFailureNeedsStay) {
  const std::string left = shrink("attributes", convolution(), has({"strides"}));
  EXPECT_THAT(left, HasSubstr("Conv <strides: ints = [1, 1]> (x, w)"));
  EXPECT_EQ(shrink("attributes", left, has({"strides"})), "");
}

TEST_F(ShrinkerTest, AnAttributeThatOthersDependOnIsNotAskedFor) {
  // Without its axis, the sizes do not fit.
  const std::string left = shrink("attributes", R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2, 3] a, float[2, 5] b) => (float[2, 8] y) { y = Concat <axis = 1> (a, b) })",
                                  has({"Concat"}));
  EXPECT_EQ(left, "");
  EXPECT_EQ(asked_, 0);
}

}  // namespace
}  // namespace polygraphy
