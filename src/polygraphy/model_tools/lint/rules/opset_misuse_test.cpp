#include <gmock/gmock.h>

#include "polygraphy/model_tools/lint/testdata/rule_test.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(OpsetMisuseRule, NamesNodeAndReason) {
  EXPECT_THAT(
      findings("opset-misuse", R"(<ir_version: 8, opset_import: ["": 17]>
              g (float[2] x) => (float[2] y) {
                [new] a = Gelu(x)
                [old] b = Upsample(a)
                [unknown] y = Flarp(b)
              })"),
      ElementsAre("new: Gelu exists since version 20; the model imports version 17 of 'ai.onnx'",
                  "old: Upsample is deprecated since version 10; the model imports version "
                  "17 of 'ai.onnx'"));
}

// Functions of the model are not operators of the standard, in any spelling of the call.
TEST(OpsetMisuseRule, FunctionsOfTheModelAreNoOperatorsOfTheStandard) {
  const char* const text = R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) {
      a = Gelu <strength = 2> (x)
      y = ai.onnx.Relu <strength = 2> (a)
    }
    <domain: "ai.onnx", opset_import: ["": 17]> Gelu <strength> (x) => (y) { y = Neg(x) }
    <domain: "", opset_import: ["": 17]> Relu <strength> (x) => (y) { y = Neg(x) }
  )";
  EXPECT_THAT(findings("opset-misuse", text), IsEmpty());
}

}  // namespace
}  // namespace polygraphy
