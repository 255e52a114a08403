#include <gmock/gmock.h>

#include "polygraphy/model_tools/lint/testdata/rule_test.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

TEST(DuplicateTensorNamesRule, NamesTensorsAndWhoMakesThem) {
  EXPECT_THAT(findings("duplicate-tensor-names", R"(g (float[2] x, float[2] x) => (float[2] y)
              <float[2] w = {1, 2}> {
                a = Relu(x)
                w = Neg(a)
                a = Neg(w)
                y = Neg(a)
              })"),
              ElementsAre(": Tensor name 'x' is an input twice.",
                          ": Tensor name 'w' is an output of a node, but already has a value.",
                          ": Tensor name 'a' is an output of a node, but already has a value."));
}

}  // namespace
}  // namespace polygraphy
