#include <gmock/gmock.h>

#include "polygraphy/model_tools/lint/testdata/rule_test.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(AttributeMisuseRule, NamesNodeAndReason) {
  EXPECT_THAT(
      findings("attribute-misuse", R"(g (float[2] x) => (float[2] y) {
                [r] a = Relu <alpha = 1.0> (x)
                [c] b = Cast (a)
                [s] c = Softmax <axis = 1.0> (b)
                [fine] y = Softmax <axis = 0> (c)
              })"),
      ElementsAre(
          "r: Relu (version 14) has no attribute 'alpha'",
          "c: Cast (version 19) lacks the required attribute 'to'",
          "s: Attribute 'axis' of Softmax (version 13) has a type that differs from the standard"));
}

// Functions of the model are not operators of the standard, in any spelling of the call.
TEST(AttributeMisuseRule, FunctionsOfTheModelAreNoOperatorsOfTheStandard) {
  const char* const text = R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) {
      a = Gelu <strength = 2> (x)
      y = ai.onnx.Relu <strength = 2> (a)
    }
    <domain: "ai.onnx", opset_import: ["": 17]> Gelu <strength> (x) => (y) { y = Neg(x) }
    <domain: "", opset_import: ["": 17]> Relu <strength> (x) => (y) { y = Neg(x) }
  )";
  EXPECT_THAT(findings("attribute-misuse", text), IsEmpty());
}

}  // namespace
}  // namespace polygraphy
