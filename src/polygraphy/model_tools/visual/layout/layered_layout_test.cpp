#include "polygraphy/model_tools/visual/layout/layered_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "polygraphy/model_tools/visual/layout/visual_edges.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Edges = std::vector<LayoutEdge>;

LayeredLayout layout(size_t nodes, const Edges& edges) {
  return layered_layout(std::vector<double>(nodes, 100), edges);
}

bool overlap(const LayeredLayout& layout, size_t a, size_t b) {
  return layout.ranks[a] == layout.ranks[b] && std::abs(layout.xs[a] - layout.xs[b]) < 100;
}

TEST(LayeredLayout, NothingHasNoRanks) {
  const LayeredLayout none = layout(0, {});
  EXPECT_EQ(none.rank_count, 0u);
  EXPECT_EQ(none.width, 0);
}

TEST(LayeredLayout, NodesStandBelowTheLongestPathToThem) {
  EXPECT_THAT(layout(4, {{0, 1}, {1, 2}, {0, 3}, {2, 3}}).ranks, ElementsAre(0, 1, 2, 3));
}

TEST(LayeredLayout, ANodeThatReadsNothingStandsAboveItsFirstReader) {
  EXPECT_THAT(layout(4, {{0, 1}, {1, 2}, {3, 2}}).ranks, ElementsAre(0, 1, 2, 1));
}

// Two constants and a node that reads only them.
TEST(LayeredLayout, WhatDependsOnNoInputStandsAboveItsFirstReader) {
  const Edges edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 7}, {6, 7}, {7, 4}};
  const size_t inputs[] = {0};
  EXPECT_THAT(layered_layout(std::vector<double>(8, 100), edges, inputs).ranks,
              ElementsAre(0, 1, 2, 3, 4, 2, 2, 3));
}

TEST(LayeredLayout, AChainIsStraightBesideItsConstants) {
  Edges edges;
  for (size_t i = 0; i < 9; ++i) edges.push_back({i, i + 1, i});
  for (size_t i = 10; i < 22; ++i) edges.push_back({i, 2 + i % 3, i});
  const size_t inputs[] = {0};
  const LayeredLayout chain = layered_layout(std::vector<double>(22, 100), edges, inputs);
  for (size_t i = 1; i < 10; ++i) EXPECT_NEAR(chain.xs[i], chain.xs[0], 1) << i;
}

TEST(LayeredLayout, ACycleIsEnteredAtItsFirstNode) {
  const LayeredLayout cycle = layout(3, {{0, 1}, {1, 2}, {2, 0}});
  EXPECT_THAT(cycle.ranks, ElementsAre(0, 1, 2));
  EXPECT_THAT(cycle.bends[2], IsEmpty());
}

TEST(LayeredLayout, AChainIsStraight) {
  const LayeredLayout chain = layout(3, {{0, 1}, {1, 2}});
  EXPECT_THAT(chain.xs, ElementsAre(50, 50, 50));
  EXPECT_EQ(chain.width, 100);
}

TEST(LayeredLayout, LongEdgesOfATensorShareTheirBends) {
  const LayeredLayout shared = layout(4, {{0, 1, 0}, {1, 2, 1}, {2, 3, 2}, {0, 2, 0}, {0, 3, 0}});
  EXPECT_THAT(shared.bends[3], SizeIs(1));
  EXPECT_THAT(shared.bends[4], SizeIs(2));
  EXPECT_EQ(shared.bends[3][0], shared.bends[4][0]);
}

// Two pairs, each of which reads crosswise: the order in the file would have the edges cross.
TEST(LayeredLayout, EdgesThatNeedNotCrossDoNot) {
  const LayeredLayout pairs = layout(4, {{0, 3}, {1, 2}});
  EXPECT_EQ(pairs.xs[0] < pairs.xs[1], pairs.xs[3] < pairs.xs[2]);
}

TEST(LayeredLayout, NodesDoNotOverlap) {
  Edges edges;
  for (size_t i = 1; i < 60; ++i) {
    edges.push_back({i / 3, i, i / 3});
    if (i % 4 == 0) edges.push_back({i / 7, i, i / 7});
  }
  const LayeredLayout tree = layout(60, edges);
  for (size_t a = 0; a < 60; ++a) {
    for (size_t b = 0; b < a; ++b) EXPECT_FALSE(overlap(tree, a, b)) << a << " " << b;
  }
}

// All bends of these would be more than two million.
TEST(LayeredLayout, TheLongestEdgesGoStraightWhereThereAreVeryMany) {
  constexpr size_t kLength = 3000;
  Edges edges;
  for (size_t i = 0; i + 1 < kLength; ++i) edges.push_back({i, i + 1, i});
  for (size_t i = 0; i < kLength / 2; ++i) edges.push_back({i, kLength - 1 - i, kLength + i});
  const LayeredLayout ladder = layout(kLength, edges);
  size_t bends = 0;
  for (const auto& one : ladder.bends) bends += one.size();
  EXPECT_GT(bends, 0u);
  EXPECT_LE(bends, kLength * 20 + 10000);
  EXPECT_THAT(ladder.bends[kLength - 1], IsEmpty());
}

TEST(LayeredLayout, TheSameGraphLooksTheSame) {
  const Edges edges = {{0, 2}, {1, 2}, {0, 3}, {2, 4}, {3, 4}, {0, 4}};
  EXPECT_EQ(layout(5, edges).xs, layout(5, edges).xs);
}

VisualGraph graph_of(std::vector<VisualNode> nodes) {
  return {.tensors = {{.name = "a"}, {.name = "w", .constant = true}, {}},
          .nodes = std::move(nodes)};
}

std::vector<std::pair<size_t, size_t>> ends(const VisualGraph& graph) {
  std::vector<std::pair<size_t, size_t>> result;
  for (const LayoutEdge& edge : visual_edges(graph)) result.emplace_back(edge.from, edge.to);
  return result;
}

TEST(VisualEdges, ConstantsAndOmittedTensorsHaveNone) {
  EXPECT_THAT(ends(graph_of({{.outputs = {0, 1, 2}}, {.inputs = {0, 0, 1, 2}}})),
              ElementsAre(std::pair(0, 1)));
}

TEST(VisualEdges, WhatIsWrittenInPlaceIsReadFromTheWritersBefore) {
  EXPECT_THAT(ends(graph_of({{.outputs = {0}}, {.inputs = {0}, .outputs = {0}}, {.inputs = {0}}})),
              ElementsAre(std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)));
}

}  // namespace
}  // namespace polygraphy
