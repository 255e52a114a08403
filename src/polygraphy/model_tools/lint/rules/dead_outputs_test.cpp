#include <gmock/gmock.h>

#include "polygraphy/model_tools/lint/testdata/rule_test.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

TEST(DeadOutputsRule, OfNodesThatAreNeeded) {
  EXPECT_THAT(findings("dead-outputs", R"(g (float[4] x) => (float[2] y) {
                [s] y, b = Split <num_outputs = 2> (x)
                [unused] c = Neg(x)
              })"),
              ElementsAre("s: Its output 'b' is unused."));
}

}  // namespace
}  // namespace polygraphy
