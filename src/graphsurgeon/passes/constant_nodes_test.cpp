#include "graphsurgeon/passes/constant_nodes.h"

#include <gmock/gmock.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

TEST(ConstantNodes, BecomeInitializers) {
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[3] x) => (float[3] y, int64[2] s) {
      c = Constant<value = float[3] {1, 2, 3}>()
      y = Add(x, c)
      s = Constant<value_ints = [4, 5]>()
    })");
  EXPECT_EQ(constant_nodes_to_initializers(model), 2u);
  EXPECT_EQ(model.graph->nodes().size(), 1u);
  ASSERT_EQ(model.graph->initializers().size(), 2u);
  EXPECT_EQ(model.graph->initializers()[0]->values().get_double(2), 3);
  EXPECT_EQ(model.graph->outputs()[1]->values().get_double(1), 5);
  EXPECT_EQ(model.graph->nodes()[0]->inputs()[1]->producer(), nullptr);
}

TEST(ConstantNodes, ModelsWithoutAnyStayUntouched) {
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[3] x) => (float[3] y) { y = Relu(x) })");
  const uint64_t edits = model.graph->store().edits();
  EXPECT_EQ(constant_nodes_to_initializers(model), 0u);
  EXPECT_EQ(model.graph->store().edits(), edits);
}

}  // namespace
}  // namespace graphsurgeon
