#include "polygraphy/model_tools/visual/neighbourhood.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/model_tools/visual/visualize_onnx.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// x -> a -> b -> c -> d -> y, and b -> side -> z.
constexpr std::string_view kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[4] x) => (float[4] y, float[4] z) <float[4] w = {1, 2, 3, 4}> {
  [first] a = Add (x, w)
  [second] b = Relu (a)
  [third] c = Neg (b)
  [fourth] d = Abs (c)
  [last] y = Exp (d)
  [side] z = Log (b)
})";

VisualModel chain() {
  Logger silent;
  return visualize(graphsurgeon::parse_onnx_text(kChain), silent);
}

std::vector<std::string> nodes_around(std::string_view name, size_t depth) {
  std::vector<std::string> names;
  const VisualModel part = neighbourhood(chain(), name, depth);
  for (const VisualNode& node : part.graphs.at(0).nodes) names.push_back(node.name);
  return names;
}

std::string error_around(std::string_view name, size_t depth = 2) {
  try {
    neighbourhood(chain(), name, depth);
  } catch (const Error& error) {
    return std::string(error.what()) + "\n" + error.hint();
  }
  return "no error";
}

TEST(Neighbourhood, OfANodeIsWhatIsAFewEdgesFromIt) {
  EXPECT_THAT(nodes_around("third", 0), ElementsAre("third"));
  EXPECT_THAT(nodes_around("third", 1), ElementsAre("second", "third", "fourth"));
  EXPECT_THAT(nodes_around("third", 2),
              ElementsAre("first", "second", "third", "fourth", "last", "side"));
  EXPECT_THAT(nodes_around("node_2", 0), ElementsAre("third"));
}

TEST(Neighbourhood, OfATensorBeginsAtItsNodes) {
  EXPECT_THAT(nodes_around("b", 1), ElementsAre("second", "third", "side"));
  EXPECT_THAT(nodes_around("w", 1), ElementsAre("first"));
}

TEST(Neighbourhood, HasTheTensorsOfItsNodesOnly) {
  const VisualModel part = neighbourhood(chain(), "third", 0);
  ASSERT_EQ(part.graphs.size(), 1u);
  ASSERT_EQ(part.graphs[0].tensors.size(), 2u);
  EXPECT_EQ(part.graphs[0].tensors[part.graphs[0].nodes[0].inputs[0]].name, "b");
  EXPECT_THAT(part.title, HasSubstr("Around: third"));
}

TEST(Neighbourhood, NamesThatNothingHasAreAnsweredWithTheNearest) {
  EXPECT_THAT(error_around("thrd"),
              HasSubstr("no node or tensor named 'thrd'\nDid you mean 'third'?"));
  EXPECT_THAT(error_around("b", 0), HasSubstr("'b' is a tensor"));
  EXPECT_THAT(error_around(""), HasSubstr("no node or tensor named ''"));
}

TEST(Neighbourhood, NamesWithPathsAndNumbersAreFoundByWhatPeopleRemember) {
  VisualModel model = chain();
  model.graphs[0].nodes[3].name = "/layers.0/attention/Softmax_169";
  for (const char* name : {"softmax", "softmaks"}) {
    try {
      neighbourhood(model, name, 1);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.hint(), "Did you mean '/layers.0/attention/Softmax_169'?");
    }
  }
}

TEST(Neighbourhood, SubgraphsBecomeAttributes) {
  Logger silent;
  const VisualModel model = visualize(graphsurgeon::parse_onnx_text(R"(
    g (bool c, float[2] x) => (float[2] y) {
      [choice] y = If (c) <then_branch = t () => (float[2] a) { [inside] a = Neg (x) },
                           else_branch = e () => (float[2] b) { b = Identity (x) }> })"),
                                      silent);
  const VisualModel outside = neighbourhood(model, "choice", 1);
  ASSERT_EQ(outside.graphs.size(), 1u);
  EXPECT_TRUE(outside.graphs[0].nodes[1].subgraphs.empty());
  EXPECT_EQ(outside.graphs[0].nodes[1].attributes.at(0).first, "then_branch");
  const VisualModel inside = neighbourhood(model, "inside", 1);
  ASSERT_EQ(inside.graphs.size(), 1u);
  EXPECT_THAT(inside.graphs[0].title, HasSubstr("then_branch of choice"));
}

}  // namespace
}  // namespace polygraphy
