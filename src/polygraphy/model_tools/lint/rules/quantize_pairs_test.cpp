#include <gmock/gmock.h>

#include "polygraphy/model_tools/lint/testdata/rule_test.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

TEST(QuantizePairsRule, ComparesScales) {
  EXPECT_THAT(findings("quantize-pairs", R"(g (float[2] x) => (float[2] y)
              <float s = {0.5}, float same = {0.5}, float t = {0.25}, float zero = {0}> {
                [q] a = QuantizeLinear(x, s)
                [fine] b = DequantizeLinear(a, same)
                [d] c = DequantizeLinear(a, t)
                [z] e = QuantizeLinear(c, zero)
                y = Add(b, c)
              })"),
              ElementsAre("d: It has another scale than the QuantizeLinear 'q' before it.",
                          "z: Its scale has elements that are not positive."));
}

}  // namespace
}  // namespace polygraphy
