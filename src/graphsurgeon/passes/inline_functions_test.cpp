#include "graphsurgeon/passes/inline_functions.h"

#include <gmock/gmock.h>

#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/passes/unused_functions.h"

namespace graphsurgeon {
namespace {

using testing::HasSubstr;
using testing::Not;

bool inline_call(Model& model, Graph& graph, size_t position) {
  if (!can_be_inlined(model, *graph.nodes()[position])) return false;
  TensorNames taken = tensor_names(*model.graph);
  inline_calls(model, graph, {{position}}, taken);
  return true;
}

TEST(InlineFunctions, NodesInPlaceOfACall) {
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17, "f": 1]>
    g (float[3] x) => (float[3] z) { y = f.twice(x) z = f.twice(y) }
    <domain: "f", opset_import: ["": 17]> twice (a) => (b) { t = Neg(a) b = Add(t, a) })");
  EXPECT_TRUE(inline_call(model, *model.graph, 0));
  EXPECT_TRUE(inline_call(model, *model.graph, 2));
  EXPECT_FALSE(inline_call(model, *model.graph, 0));
  EXPECT_EQ(remove_unused_functions(model), 1u);
  const std::string text = to_onnx_text(model);
  EXPECT_THAT(text, HasSubstr("t_of_y = Neg (x)"));
  EXPECT_THAT(text, HasSubstr("y = Add (t_of_y, x)"));
  EXPECT_THAT(text, HasSubstr("z = Add (t_of_z, y)"));
  check_model(model);
}

TEST(InlineFunctions, AttributesOfTheCallOrTheDefaultOrNone) {
  const char* const kModel = R"(<ir_version: 9, opset_import: ["": 17, "f": 1]>
    g (float[3, 4] x) => (float[3, 4] y) { y = f.soft <axis = 0> (x) }
    <domain: "f", opset_import: ["": 17]> soft <axis, alpha: float = 0.5> (a) => (b) {
      s = Softmax <axis: int = @axis> (a)
      b = LeakyRelu <alpha: float = @alpha> (s)
    })";
  Model model = parse_onnx_text(kModel);
  EXPECT_TRUE(inline_call(model, *model.graph, 0));
  EXPECT_THAT(to_onnx_text(model), HasSubstr("Softmax <axis: int = 0> (x)"));
  EXPECT_THAT(to_onnx_text(model), HasSubstr("LeakyRelu <alpha: float = 0.5>"));

  Model without = parse_onnx_text(kModel);
  without.graph->nodes()[0]->remove_attribute("axis");
  EXPECT_TRUE(inline_call(without, *without.graph, 0));
  EXPECT_THAT(to_onnx_text(without), HasSubstr("Softmax (x)"));
}

TEST(InlineFunctions, OmittedInputsAndOutputs) {
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17, "f": 1]>
    g (float[3] x) => (float[3] y) { y = f.clip(x) }
    <domain: "f", opset_import: ["": 17]> clip (a, low, high) => (b, unused) {
      b = Clip(a, low, high) unused = Neg(b)
    })");
  EXPECT_TRUE(inline_call(model, *model.graph, 0));
  EXPECT_THAT(to_onnx_text(model), HasSubstr("unused_of_y = Neg (y)"));
  EXPECT_TRUE(model.graph->nodes()[0]->inputs()[1]->is_empty());
  check_model(model);
}

TEST(InlineFunctions, OtherVersionsOnlyWhereTheyMeanTheSame) {
  const auto inlined = [](const std::string& op) {
    Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17, "f": 1]>
      g (float[3] x) => (float[3] y) { y = f.one(x) }
      <domain: "f", opset_import: ["": 11]> one (a) => (b) { b = )" +
                                  op + "(a) }");
    return inline_call(model, *model.graph, 0);
  };
  EXPECT_TRUE(inlined("Sin"));       // of version 7
  EXPECT_FALSE(inlined("Softmax"));  // of version 11 and 13
}

TEST(InlineFunctions, BodiesInAFunctionComeAlong) {
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17, "f": 1]>
    g (bool c, float[3] t) => (float[3] y) { y = f.choose(c, t) }
    <domain: "f", opset_import: ["": 17]> choose (c, a) => (b) {
      b = If(c) <then_branch = g1 () => (t) { t = Neg(a) }, else_branch = g2 () => (e) { e = Identity(a) }>
    })");
  EXPECT_TRUE(inline_call(model, *model.graph, 0));
  remove_unused_functions(model);
  EXPECT_THAT(to_onnx_text(model), HasSubstr("t_of_y = Neg (t)"));
  check_model(model);
}

}  // namespace
}  // namespace graphsurgeon
