#include "polygraphy/models/candidates/split_at.h"

#include <gmock/gmock.h>

#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/models/candidates/testdata/names.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;
using testing::ElementsAre;

// Two branches from a, and a weight that nodes make.
const char* const kBranches = R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[4] x, float[4] z) => (float[4] y, float[4] q) <float[4] w = {1, 2, 3, 4}> {
    a = Relu(x)
    v = Neg(w)
    b = Mul(a, v)
    c = Sin(a)
    y = Add(b, c)
    q = Abs(z)
  })";

TEST(Split, StepsAreWhatDependsOnInputs) {
  EXPECT_THAT(reduction_steps(parse_onnx_text(kBranches)), ElementsAre(0, 2, 3, 4, 5));
  EXPECT_THAT(reduction_steps(parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g () => (float[1] y) <float[1] w = {1}> { a = Relu(w) y = Neg(a) })")),
              ElementsAre(0, 1));
}

TEST(Split, BehindANodeKeepsWhatItNeeds) {
  const Model model = parse_onnx_text(kBranches);
  const Split split = split_after(model, 2);
  EXPECT_THAT(names(split.marked), ElementsAre("b"));
  EXPECT_THAT(names(split.model.graph->outputs()), ElementsAre("b"));
  EXPECT_THAT(names(split.model.graph->inputs()), ElementsAre("x"));
  EXPECT_THAT(ops(split.model), ElementsAre("Relu", "Neg", "Mul"));
  EXPECT_EQ(model.graph->nodes().size(), 6u);
}

TEST(Split, BeforeANodeTurnsWhatComesPastIntoInputs) {
  const Model model = parse_onnx_text(kBranches);
  const Split split = split_before(model, 3);
  EXPECT_THAT(names(split.marked), ElementsAre("a"));
  EXPECT_TRUE(split.branches.empty());
  EXPECT_THAT(ops(split.model), ElementsAre("Neg", "Mul", "Sin", "Add"));

  const Split last = split_before(model, 4);
  EXPECT_THAT(names(last.marked), ElementsAre("b", "c"));
  EXPECT_THAT(ops(last.model), ElementsAre("Add"));
  EXPECT_THAT(names(last.model.graph->outputs()), ElementsAre("y"));
}

TEST(Split, BranchesCanBeFrozen) {
  const Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) { a = Relu(x) b = Neg(x) c = Sin(b) y = Add(a, c) })");
  Split split = split_before(model, 2);
  EXPECT_THAT(names(split.marked), ElementsAre("b"));
  ASSERT_THAT(names(split.branches), ElementsAre("a"));
  EXPECT_THAT(names(split.model.graph->inputs()), ElementsAre("b", "a"));
  freeze(split.model, *split.branches[0], Array::of<float>({2}, {1, 2}));
  EXPECT_THAT(names(split.model.graph->inputs()), ElementsAre("b"));
  EXPECT_THAT(names(split.model.graph->initializers()), ElementsAre("a"));
  EXPECT_THAT(ops(split.model), ElementsAre("Sin", "Add"));
}

TEST(Split, SubgraphsReadToo) {
  const Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (bool b, float[2] x) => (float[2] y) {
      a = Relu(x)
      c = Neg(x)
      y = If(b) <then_branch = t () => (float[2] s) { s = Sin(a) },
                 else_branch = e () => (float[2] r) { r = Cos(c) }>
    })");
  const Split split = split_before(model, 2);
  EXPECT_THAT(names(split.marked), ElementsAre("b", "a", "c"));
  EXPECT_THAT(ops(split.model), ElementsAre("If"));
}

TEST(Split, OmittedOutputsStayOmitted) {
  const Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[3,2] x) => (float[1] y) { v, i = TopK(x, k) y = ReduceSum(v) z = Dropout(y) })");
  const Split split = split_after(model, 0);
  EXPECT_THAT(names(split.marked), ElementsAre("v", "i"));
}

}  // namespace
}  // namespace polygraphy
