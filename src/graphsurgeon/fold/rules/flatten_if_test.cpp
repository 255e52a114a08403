#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

// A model with this condition and branch.
std::string if_model(const std::string& condition, const std::string& then_branch,
                     const std::string& outputs = "float[2] y") {
  return "<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (" + outputs +
         ") <bool c = {" + condition +
         "}, float[2] w = {1, 2}> { [choose] y = If (c) <then_branch = " + then_branch +
         ", else_branch = Else () => (float[2] e) { e = Relu (x) }> }";
}

TEST(FlattenIf, BecomesTheBranchThatIsTaken) {
  const std::string then_branch = "Then () => (float[2] t) { [in] a = Abs (x) [out] t = Neg (a) }";
  EXPECT_EQ(fold(if_model("1", then_branch)).nodes,
            "a_subg_0_Then = Abs(x); y = Neg(a_subg_0_Then)");
  EXPECT_EQ(fold(if_model("0", then_branch)).nodes, "y = Relu(x)");
}

// G10: the outer constant keeps its name.
TEST(FlattenIf, OuterConstantsKeepTheirNames) {
  EXPECT_EQ(fold(if_model("1", "Then () => (float[2] t) { t = Add (x, w) }")).nodes,
            "y = Add(x, w)");
}

TEST(FlattenIf, ConstantsOfTheBranchComeAlong) {
  const Folded folded =
      fold(if_model("1", "Then () => (float[2] t) <float[2] k = {5, 6}> { t = Add (x, k) }"));
  EXPECT_EQ(folded.nodes, "y = Add(x, k_subg_0_Then)");
  EXPECT_EQ(folded.constant("k_subg_0_Then"), "float32[2]{5,6}");
}

// G10: outputs that nothing in the branch produces.
TEST(FlattenIf, ABranchMayReturnAConstant) {
  const Folded folded = fold(if_model("1", "Then () => (float[2] k) <float[2] k = {5, 6}> { }"));
  EXPECT_EQ(folded.nodes, "");
  EXPECT_EQ(folded.constant("y"), "float32[2]{5,6}");
}

// The checker does not take it before, but does after.
TEST(FlattenIf, ABranchMayReturnAnOuterTensor) {
  Model model = parse_onnx_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y, float[2] x2) <bool c = {1}> {
      r = Relu (x)
      i, x2 = If (c) <then_branch = Then () => (float[2] r, float[2] x) { }, else_branch = Else () => (float[2] e, float[2] f) { e = Abs (x) f = Neg (x) }>
      y = Neg (i)
    })");
  polygraphy::Logger silent;
  fold_constants(model, {}, silent);
  cleanup(model);
  EXPECT_EQ(node_list(*model.graph), "r = Relu(x); i = Identity(r); x2 = Identity(x); y = Neg(i)");
  EXPECT_NO_THROW(check_model(model));
}

// All outputs, not only the first.
TEST(FlattenIf, ConnectsAllOutputs) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y, float[2] z, float[2] again) <bool c = {1}> {
      y, z, again = If (c) <
        then_branch = Then () => (float[2] a, float[2] b, float[2] a) { a = Abs (x) b = Neg (a) },
        else_branch = Else () => (float[2] d, float[2] e, float[2] f) { d = Neg (x) e = Relu (x) f = Abs (x) }>
    })");
  EXPECT_EQ(folded.nodes, "y = Abs(x); z = Neg(y); again = Identity(y)");
}

// Two Ifs with the same names in their branches.
TEST(FlattenIf, NamesStayUnique) {
  const std::string branches =
      "<then_branch = Then () => (float[2] o) { [same] t = Abs (x) [last] o = Neg (t) }, "
      "else_branch = Else () => (float[2] e) { e = Relu (x) }>";
  const Folded folded = fold(
      "<ir_version: 8, opset_import: [\"\" : 17]> "
      "g (float[2] x) => (float[2] z) <bool c = {1}> { [same] r = Relu (x) "
      "y0 = If (c) " +
      branches + " y1 = If (c) " + branches + " s = Add (y0, y1) z = Add (s, r) }");
  EXPECT_EQ(folded.nodes,
            "r = Relu(x); t_subg_1_Then = Abs(x); y0 = Neg(t_subg_1_Then); t_subg_3_Then = Abs(x); "
            "y1 = Neg(t_subg_3_Then); s = Add(y0, y1); z = Add(s, r)");
}

TEST(FlattenIf, OneBranchObjectOfTwoNodesIsCopied) {
  Model model = parse_onnx_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] z) <bool c = {1}> {
      y0 = If (c) <then_branch = Then () => (float[2] o) { t = Abs (x) o = Neg (t) }, else_branch = Else () => (float[2] e) { e = Relu (x) }>
      y1 = If (c) <then_branch = Then () => (float[2] p) { p = Abs (x) }, else_branch = Else () => (float[2] f) { f = Relu (x) }>
      z = Add (y0, y1)
    })");
  Attribute shared = *model.graph->nodes()[0]->attribute("then_branch");
  model.graph->nodes()[1]->set_attribute(shared);
  const Folded folded = fold(std::move(model));
  EXPECT_EQ(folded.nodes,
            "t_subg_0_Then = Abs(x); y0 = Neg(t_subg_0_Then); t_subg_2_Then = Abs(x); "
            "y1 = Neg(t_subg_2_Then); z = Add(y0, y1)");
}

// Its inner graph is copied with it, and still captures the same tensors.
TEST(FlattenIf, ACopyThatHoldsAGraph) {
  Model model = parse_onnx_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x) => (float[1] z) <bool c = {1}, int64 n = {3}, float[1] start = {0}> {
      y0 = If (c) <then_branch = Then () => (float[1] o) {
          o = Loop (n, c, start) <body = b (int64 i, bool go, float[1] v) => (bool go2, float[1] v2) {
            go2 = Identity (go)
            v2 = Add (v, x)
          }>
        }, else_branch = Else () => (float[1] e) { e = Relu (x) }>
      y1 = If (c) <then_branch = Then () => (float[1] p) { p = Abs (x) }, else_branch = Else () => (float[1] f) { f = Relu (x) }>
      z = Add (y0, y1)
    })");
  Attribute shared = *model.graph->nodes()[0]->attribute("then_branch");
  model.graph->nodes()[1]->set_attribute(shared);
  const Folded folded = fold(std::move(model));
  EXPECT_EQ(folded.nodes, "y0 = Loop(n, c, start); y1 = Loop(n, c, start); z = Add(y0, y1)");
}

TEST(FlattenIf, NestedOnesAndWhatBecomesConstantInside) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 3] x) => (float[2, 3] y) <bool c = {1}, int64 two = {2}> {
      y = If (c) <then_branch = Then () => (float[2, 3] o) {
          s = Shape (x)
          n = Size (s)
          q = Equal (n, two)
          o = If (q) <then_branch = Inner () => (float[2, 3] i) { i = Abs (x) },
                      else_branch = Other () => (float[2, 3] j) { j = Neg (x) }>
        }, else_branch = Else () => (float[2, 3] e) { e = Relu (x) }>
    })");
  EXPECT_EQ(folded.nodes, "y = Abs(x)");
}

TEST(FlattenIf, ReturnedTensorsThatInnerGraphsUse) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x, bool p) => (float[2] y, float[2] z) <bool c = {1}> {
      y, z = If (c) <then_branch = Then () => (float[2] a, float[2] b) {
          a = Abs (x)
          b = If (p) <then_branch = T () => (float[2] t) { t = Neg (a) }, else_branch = F () => (float[2] f) { f = Relu (a) }>
        }, else_branch = Else () => (float[2] d, float[2] e) { d = Relu (x) e = Neg (x) }>
    })");
  EXPECT_EQ(folded.nodes, "y = Abs(x); z = If(p)");
  EXPECT_EQ(node_list(*folded.model.graph->nodes()[1]->subgraphs()[0]), "t = Neg(y)");
}

TEST(FlattenIf, UnknownConditionsStay) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (bool c, float[2] x) => (float[2] y) {
      y = If (c) <then_branch = Then () => (float[2] t) { t = Abs (x) }, else_branch = Else () => (float[2] e) { e = Relu (x) }>
    })");
  EXPECT_EQ(folded.nodes, "y = If(c)");
}

TEST(FlattenIf, MayBeTurnedOff) {
  NoEvaluator none;
  FoldOptions options;
  options.flatten_subgraphs = false;
  EXPECT_EQ(fold(if_model("1", "Then () => (float[2] t) { t = Abs (x) }"), options).nodes,
            "y = If(c)");
}

TEST(FlattenIf, InAFunction) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[2] x) => (float[2] y) { y = my.Maybe (x) }
    <domain: "my", opset_import: ["" : 17]>
    Maybe (v) => (w) {
      c = Constant <value = bool {1}> ()
      w = If (c) <then_branch = Then () => (float[2] t) <float[2] k = {1, 2}> { t = Add (v, k) }, else_branch = Else () => (float[2] e) { e = Relu (v) }>
    })");
  EXPECT_EQ(node_list(*folded.model.functions[0]),
            "k_subg_1_Then = Constant(); w = Add(v, k_subg_1_Then)");
}

}  // namespace
}  // namespace graphsurgeon
