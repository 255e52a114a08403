#include <gmock/gmock.h>

#include "polygraphy/model_tools/lint/testdata/rule_test.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(OnnxCheckerRule, RepeatsTheCheckersComplaint) {
  EXPECT_THAT(findings("onnx-checker", R"(<ir_version: 8, opset_import: ["": 17]>
              g (float[2] x) => (float[2] y) { y = Relu(x, x) })"),
              ElementsAre(HasSubstr("Relu")));
}

TEST(OnnxCheckerRule, HasNothingToSayOfAValidModel) {
  EXPECT_THAT(findings("onnx-checker", R"(<ir_version: 8, opset_import: ["": 17]>
              g (float[2] x) => (float[2] y) { y = Relu(x) })"),
              IsEmpty());
}

TEST(OnnxCheckerRule, ModelsWithoutOutputsAndOpsetsOfTheFuture) {
  EXPECT_THAT(findings("onnx-checker", "g (float[2] x) => () { y = Neg(x) }"),
              ElementsAre(testing::StartsWith(": The model has no outputs")));
  const std::string from = R"(<ir_version: 8, opset_import: ["": )",
                    to = R"(, "mine": 99]> g (float[2] x) => (float[2] y) { y = Neg(x) })";
  EXPECT_THAT(findings("onnx-checker", (from + "99" + to).c_str()),
              ElementsAre(testing::StartsWith(
                  ": The model imports version 99 of 'ai.onnx'; the newest known version is ")));
  EXPECT_THAT(findings("onnx-checker", (from + "17" + to).c_str()), IsEmpty());
}

}  // namespace
}  // namespace polygraphy
