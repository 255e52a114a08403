#include <gmock/gmock.h>

#include "polygraphy/model_tools/lint/testdata/rule_test.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(DanglingCapturesRule, NamesTensorsThatNoNodeMakes) {
  EXPECT_THAT(findings("dangling-captures", R"(g (bool c, float[2] x) => (float[2] y) {
                y = If (c) <
                  then_branch = t () => (float[2] p) { p = Neg(x) },
                  else_branch = e () => (float[2] q) { q = Neg(lost) }
                >
              })"),
              ElementsAre(HasSubstr("Tensor 'lost' is used, but it has no producer")));
}

// The checker refuses it; but the tensor has a value.
TEST(DanglingCapturesRule, ABranchMayReturnAnOuterTensor) {
  EXPECT_THAT(findings("dangling-captures", R"(g (bool c, float[2] x) => (float[2] y) {
                y = If (c) <
                  then_branch = t () => (float[2] x) {},
                  else_branch = e () => (float[2] n) { n = Neg(x) }
                >
              })"),
              IsEmpty());
}

}  // namespace
}  // namespace polygraphy
