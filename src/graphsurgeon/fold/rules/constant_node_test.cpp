#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

Folded lower(const std::string& type, const std::string& attribute) {
  return fold("<ir_version: 8, opset_import: [\"\" : 17]> g () => (" + type +
              " y) { y = Constant <" + attribute + "> () }");
}

TEST(ConstantNode, NumbersAndListsOfThem) {
  EXPECT_EQ(lower("float", "value_float = 1.5").constant("y"), "float32[]{1.5}");
  EXPECT_EQ(lower("float[2]", "value_floats = [1.5, 2.5]").constant("y"), "float32[2]{1.5,2.5}");
  EXPECT_EQ(lower("int64", "value_int = -3").constant("y"), "int64[]{-3}");
  EXPECT_EQ(lower("int64[2]", "value_ints = [4, 5]").constant("y"), "int64[2]{4,5}");
}

TEST(ConstantNode, Texts) {
  EXPECT_EQ(lower("string", "value_string = \"a\"").constant("y"), "string[]{a}");
  EXPECT_EQ(lower("string[2]", "value_strings = [\"a\", \"b\"]").constant("y"), "string[2]{a,b}");
}

TEST(ConstantNode, TensorsKeepTheirBytes) {
  Model model = parse_onnx_text("g () => (int8[2] y) { y = Constant <value = int8[2] {1, 2}> () }");
  const auto* value = std::get_if<TensorValue>(&model.graph->nodes()[0]->attributes()[0].value);
  const PayloadPtr before = value->values;
  const Folded folded = fold(std::move(model));
  EXPECT_EQ(folded.model.graph->initializers()[0]->payload(), before);
  EXPECT_EQ(folded.report.growth, 0);
}

// Functions have no initializers: constants are Constant nodes there.
TEST(ConstantNode, StaysInFunctions) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[2] x) => (float[2] y) { y = my.Twice (x) }
    <domain: "my", opset_import: ["" : 17]>
    Twice (a) => (b) {
      two = Constant <value_float = 2.0> ()
      b = Mul (a, two)
    })");
  EXPECT_EQ(node_list(*folded.model.functions[0]), "two = Constant(); b = Mul(a, two)");
  EXPECT_EQ(folded.report.rewrites.size(), 0u);
}

TEST(ConstantNode, InAnIr3ModelIsAnInputToo) {
  const Folded folded = fold(R"(
    <ir_version: 3, opset_import: ["" : 8]>
    g (float[2] x) => (float[2] y) {
      c = Constant <value = float[2] {1, 2}> ()
      y = Add (x, c)
    })");
  EXPECT_EQ(folded.nodes, "y = Add(x, c)");
  EXPECT_EQ(folded.model.graph->inputs().back()->name(), "c");
}

}  // namespace
}  // namespace graphsurgeon
