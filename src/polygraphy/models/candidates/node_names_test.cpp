#include "polygraphy/models/candidates/node_names.h"

#include <gmock/gmock.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using testing::ElementsAre;

// A named If in a named Loop, with unnamed nodes in both.
Model nested() {
  Model model = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (int64 n, bool c, float[2] x) => (float[2] y) {
      a = Neg(x)
      z = Loop(n, c, a) <body = b (int64 i, bool go, float[2] v) => (bool go_on, float[2] w) {
        go_on = Identity(go)
        w = If(c) <then_branch = t () => (float[2] s) { p = Neg(v)  s = Sin(p) },
                   else_branch = e () => (float[2] r) { r = Cos(v) }>
      }>
      y = Relu(z)
    })");
  model.graph->nodes()[1]->set_name("Loop_1");
  model.graph->nodes()[1]->subgraphs()[0]->nodes()[1]->set_name("If_2");
  return model;
}

std::vector<size_t> way(const std::optional<NodePlace>& place) {
  std::vector<size_t> result;
  if (!place) return result;
  for (const auto& around : place->around) {
    result.push_back(around.node);
    result.push_back(around.body);
  }
  result.push_back(place->node);
  return result;
}

TEST(NamedNodes, ByNameAndByTensor) {
  const NamedNodes nodes(nested());
  EXPECT_THAT(way(nodes.find("Loop_1")), ElementsAre(1));
  EXPECT_THAT(way(nodes.find("z")), ElementsAre(1));
  EXPECT_THAT(way(nodes.find("a")), ElementsAre(0));
  EXPECT_EQ(nodes.find("x"), std::nullopt);
  EXPECT_EQ(nodes.find(""), std::nullopt);
}

TEST(NamedNodes, InsideOfBodiesByPath) {
  const NamedNodes nodes(nested());
  EXPECT_THAT(way(nodes.find("Loop_1/body/If_2")), ElementsAre(1, 0, 1));
  EXPECT_THAT(way(nodes.find("Loop_1/body/If_2/then_branch/s")), ElementsAre(1, 0, 1, 0, 1));
  EXPECT_THAT(way(nodes.find("Loop_1/body/If_2/else_branch/r")), ElementsAre(1, 0, 1, 1, 0));
}

TEST(NamedNodes, InsideOfBodiesWithoutAPathWhereOneIsCalledSo) {
  Model model = nested();
  EXPECT_THAT(way(NamedNodes(model).find("s")), ElementsAre(1, 0, 1, 0, 1));
  EXPECT_THAT(way(NamedNodes(model).find("If_2")), ElementsAre(1, 0, 1));
  const auto branches = model.graph->nodes()[1]->subgraphs()[0]->nodes()[1]->subgraphs();
  for (const auto& branch : branches) branch->nodes()[0]->set_name("twice");
  EXPECT_EQ(NamedNodes(model).find("twice"), std::nullopt);
}

TEST(NamedNodes, TheClosest) {
  EXPECT_THAT(NamedNodes(nested()).did_you_mean("Loop_1/body/If_2/then_branch/t"),
              testing::StartsWith("Did you mean 'Loop_1/body/If_2/then_branch/p'"));
  EXPECT_THAT(NamedNodes(nested()).did_you_mean("something else"),
              testing::Not(testing::HasSubstr("Did you mean")));
}

TEST(DistinctNodeNames, TheSecondOfOneNameIsToldApart) {
  Model model = graphsurgeon::parse_onnx_text(
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[2] x) => (float[2] y) "
      "{ a = Neg(x) b = Abs(a) c = Sin(b) y = Relu(c) }");
  for (const size_t i : {0, 1, 3}) model.graph->nodes()[i]->set_name("n");
  EXPECT_THAT(distinct_node_names(*model.graph), ElementsAre("n", "n#2", "c", "n#3"));
}

}  // namespace
}  // namespace polygraphy
