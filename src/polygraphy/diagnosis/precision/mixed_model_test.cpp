#include "polygraphy/diagnosis/precision/mixed_model.h"

#include <gmock/gmock.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using testing::ElementsAre;

// The shape is computed in integers; two nodes have no names, and two one name.
Model model() {
  return graphsurgeon::parse_onnx_text(R"(g (float[N,4] x) => (float[N,8] y, int64[2] s)
      <float[4,8] w, float[8,8] v>
      { s = Shape (x)  a = MatMul (x, w)  [twice] b = MatMul (a, v)  [twice] y = Relu (b) })");
}

TEST(MixedModel, ListsNodesThatWouldWorkInFloat16) {
  const Model original = model();
  Logger silent;
  const MixedModel mixed(original, silent);
  ASSERT_EQ(mixed.size(), 3u);
  EXPECT_EQ(mixed.node(0).name, "a");
  EXPECT_EQ(mixed.node(1).name, "twice");
  EXPECT_THAT(mixed.operators(), ElementsAre("MatMul", "MatMul", "Relu"));
}

TEST(MixedModel, KeepsNodesInFloat32BetweenCasts) {
  const Model original = model();
  Logger silent;
  const MixedModel mixed(original, silent);
  const auto after = [&](const Part& part) {
    std::vector<std::string> operators;
    const Model made = mixed.make(part, silent);
    for (const auto& node : made.graph->nodes()) operators.emplace_back(node->op());
    return operators;
  };
  EXPECT_THAT(after({}), ElementsAre("Cast", "Shape", "MatMul", "MatMul", "Relu", "Cast"));
  EXPECT_THAT(after({1}),
              ElementsAre("Cast", "Shape", "MatMul", "Cast", "MatMul", "Cast", "Relu", "Cast"));
  EXPECT_THAT(after({0, 1, 2}), ElementsAre("Shape", "MatMul", "MatMul", "Relu"));
}

TEST(MixedModel, TellsHowMuchIsComputedInFloat32) {
  const Model original = model();
  Logger silent;
  const MixedModel mixed(original, silent);
  EXPECT_DOUBLE_EQ(*mixed.share({}), 0);
  EXPECT_DOUBLE_EQ(*mixed.share({0}), 32.0 / 96);
  EXPECT_DOUBLE_EQ(*mixed.share({0, 1, 2}), 1);
  const Model small =
      graphsurgeon::parse_onnx_text("g (float[2] x) => (float[2] y) { y = Neg (x) }");
  EXPECT_FALSE(MixedModel(small, silent).share({0}));
}

}  // namespace
}  // namespace polygraphy
