#include <gmock/gmock.h>

#include "polygraphy/model_tools/lint/testdata/rule_test.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

TEST(DuplicateNodeNamesRule, NamesThePositions) {
  EXPECT_THAT(findings("duplicate-node-names", R"(g (float[2] x) => (float[2] y) {
                [n] a = Relu(x)
                [m] b = Relu(a)
                [n] y = Neg(b)
              })"),
              ElementsAre("n: Duplicate node name: 'n' for nodes with topological IDs: [0, 2] "
                          "found."));
}

}  // namespace
}  // namespace polygraphy
