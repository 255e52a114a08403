#include <gmock/gmock.h>

#include "polygraphy/model_tools/lint/testdata/rule_test.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

TEST(UnusedInputsRule, NamesInputsThatNoOutputDependsOn) {
  const char* const text = R"(g (float[2] x, float[2] z) => (float[2] y) {
    [b] u = Relu(z)
    [a] v = Neg(u)
    y = Neg(x)
  })";
  EXPECT_THAT(findings("unused-inputs", text),
              ElementsAre(": Input: 'z' does not affect outputs, can be removed."));
}

}  // namespace
}  // namespace polygraphy
