#include "polygraphy/diagnosis/sensitivity/models/skippable_segments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// MatMul after MatMul, each with its weight; `outputs` beside the last; `second`: a node behind the
// second.
OverridableModel chain(int layers, const std::string& outputs = {}, bool activations = false,
                       const std::string& second = {}) {
  std::string weights, nodes, at = "x";
  for (int i = 0; i < layers; ++i) {
    const std::string n = std::to_string(i);
    weights += (i > 0 ? ", " : "") + ("float[1,1] w" + n) + " = {1}";
    nodes += "[n" + n + "] a" + n + " = MatMul (" + at + ", w" + n + ")\n";
    at = "a" + n;
    if (i == 1) nodes += second;
  }
  const auto model = graphsurgeon::parse_onnx_text(
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[1,1] x) => (" + outputs + "float[1,1] " +
      at + ") <" + weights + "> {" + nodes + "}");
  return overridable(model, find_sites(model, false), activations);
}

std::vector<std::string> operators(const OverridableModel& model) {
  std::vector<std::string> names;
  for (const auto& node : model.model.graph->nodes()) names.emplace_back(node->op());
  return names;
}

TEST(SkippableSegments, BeginWithTheFirstLayer) {
  OverridableModel model = chain(8);
  const SkippableModel cut = make_skippable(model);
  EXPECT_THAT(operators(model), ElementsAre("If", "If", "If", "If", "If", "If", "If", "MatMul"));
  EXPECT_THAT(cut.first, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  ASSERT_EQ(cut.segments.size(), 7u);
  EXPECT_EQ(cut.segments[0].results.size(), 1u);
  graphsurgeon::check_model(model.model);
}

TEST(SkippableSegments, EndBeforeAnOutput) {
  OverridableModel model = chain(8, "float[1,1] a2, ");
  const SkippableModel cut = make_skippable(model);
  EXPECT_EQ(cut.segments.size(), 2u);
  EXPECT_THAT(cut.first, ElementsAre(0, 1, 2, 2, 2, 2, 2, 2));
  graphsurgeon::check_model(model.model);
}

TEST(SkippableSegments, EndBeforeAnOutputOfAnotherNode) {
  OverridableModel model = chain(8, "float[1,1] r, ", false, "r = Relu (a1)\n");
  const SkippableModel cut = make_skippable(model);
  EXPECT_EQ(cut.segments.size(), 2u);
  EXPECT_THAT(cut.first, ElementsAre(0, 1, 2, 2, 2, 2, 2, 2));
  graphsurgeon::check_model(model.model);
}

// Bodies of the nodes that round read what a segment computes.
TEST(SkippableSegments, RoundWithinTheSegment) {
  OverridableModel model = chain(8, {}, true);
  const SkippableModel cut = make_skippable(model);
  EXPECT_EQ(cut.segments.size(), 7u);
  EXPECT_THAT(cut.first, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  for (const Segment& segment : cut.segments) EXPECT_EQ(segment.results.size(), 1u);
  EXPECT_THAT(operators(model),
              ElementsAre("If", "If", "If", "If", "If", "If", "If", "If", "MatMul"));
  for (size_t i = 0; i + 1 < 8; ++i) {
    const auto computed = model.model.graph->nodes()[i]->subgraphs().back();
    EXPECT_EQ(computed->nodes().size(), 2u);  // If and MatMul
  }
  graphsurgeon::check_model(model.model);
}

TEST(SkippableSegments, AreNotWorthwhileForFewLayers) {
  OverridableModel model = chain(3);
  EXPECT_THAT(make_skippable(model).segments, IsEmpty());
  EXPECT_THAT(operators(model), ElementsAre("MatMul", "MatMul", "MatMul"));
}

}  // namespace
}  // namespace polygraphy
