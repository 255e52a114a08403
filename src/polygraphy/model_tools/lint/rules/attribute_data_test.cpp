#include <gmock/gmock.h>

#include "graphsurgeon/ir/arg.h"
#include "polygraphy/model_tools/lint/testdata/rule_test.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A model with a Constant of this number of bytes, one of which is in memory.
graphsurgeon::Model with_attribute_of(int64_t bytes) {
  graphsurgeon::Model model =
      graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) { [big] k = Constant() y = Relu(x) })");
  const auto payload = graphsurgeon::splat_payload(Array::zeros(DataType::kInt8, {}), Shape{bytes});
  model.graph->nodes()[0]->set_attribute("value", payload);
  return model;
}

TEST(AttributeDataRule, NamesTheLargestAttribute) {
  EXPECT_THAT(findings("attribute-data", with_attribute_of(int64_t{1} << 31)),
              ElementsAre(HasSubstr("Attributes hold 2147483648 bytes of values")));
}

TEST(AttributeDataRule, TwoGibibytesLessOneByteFit) {
  EXPECT_THAT(findings("attribute-data", with_attribute_of((int64_t{1} << 31) - 1)), IsEmpty());
}

}  // namespace
}  // namespace polygraphy
