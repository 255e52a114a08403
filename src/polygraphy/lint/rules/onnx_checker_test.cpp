#include <gmock/gmock.h>

#include "polygraphy/lint/testdata/rule_test.h"

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

}  // namespace
}  // namespace polygraphy
