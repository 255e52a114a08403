#include "graphsurgeon/passes/unused_functions.h"

#include <gmock/gmock.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

TEST(UnusedFunctions, GoUnlessACalledOneCallsThem) {
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17, "f": 1]>
    g (float[3] x) => (float[3] y) { y = f.outer(x) }
    <domain: "f", opset_import: ["": 17, "f": 1]> inner (a) => (b) { b = Relu(a) }
    <domain: "f", opset_import: ["": 17, "f": 1]> outer (a) => (b) { b = f.inner(a) }
    <domain: "f", opset_import: ["": 17, "f": 1]> lonely (a) => (b) { b = f.inner(a) })");
  EXPECT_EQ(remove_unused_functions(model), 1u);
  ASSERT_EQ(model.functions.size(), 2u);
  EXPECT_EQ(model.functions[0]->name(), "inner");
  EXPECT_EQ(model.functions[1]->name(), "outer");
  EXPECT_EQ(remove_unused_functions(model), 0u);
}

}  // namespace
}  // namespace graphsurgeon
