#include "polygraphy/models/parts/node_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/models/parts/node_chains.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;

// Two branches of 4 KiB tensors; 'join' ends the chain of the first one.
constexpr const char* kBranches = R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[1,1024] x) => (float[1,1024] y)
  <float[1024] w = {1}> {
    [one] a = Mul(x, w)
    [two] b = Exp(x)
    [three] c = Neg(b)
    [four] d = Sin(b)
    [join] e = Sum(a, c, d)
    [last] y = Abs(e)
  })";

std::vector<NodePart> groups(const GroupSize& size) {
  graphsurgeon::Model parsed = graphsurgeon::parse_onnx_text(kBranches);
  parsed.graph->initializers().front()->replace_values(
      graphsurgeon::owned_payload(Array::zeros(DataType::kFloat32, {1024})));
  const WholeModel model(std::move(parsed), {});
  ValueMap feed;
  feed.set("x", Array::zeros(DataType::kFloat32, {1, 1024}));
  return node_groups(model, node_chains(*model.model().graph), feed, size);
}

TEST(NodeGroups, OneGroupIfAllFits) {
  EXPECT_THAT(groups({}), ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5)));
}

TEST(NodeGroups, AGroupReadsNothingOfLaterGroups) {
  const graphsurgeon::Model parsed = graphsurgeon::parse_onnx_text(kBranches);
  for (const uint64_t bytes : {1, 4096, 9000, 13000, 17000, 21000}) {
    std::vector<size_t> group_of(6);
    const auto all = groups({.bytes = bytes});
    size_t nodes = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      for (const size_t position : all[i]) group_of[position] = i;
      nodes += all[i].size();
    }
    EXPECT_EQ(nodes, 6u) << bytes;
    EXPECT_LE(group_of[1], group_of[2]) << bytes;
    EXPECT_LE(group_of[1], group_of[3]) << bytes;
    for (const size_t before : {0, 2, 3}) EXPECT_LE(group_of[before], group_of[4]) << bytes;
    EXPECT_LE(group_of[4], group_of[5]) << bytes;
  }
}

TEST(NodeGroups, MoreSamplesAndWeightsTakeMore) {
  const size_t few = groups({.bytes = 20000}).size();
  EXPECT_GT(groups({.samples = 4, .bytes = 20000}).size(), few);
  EXPECT_GE(groups({.bytes = 9000, .models = true}).size(), groups({.bytes = 9000}).size());
}

// 'q' begins and ends among nodes that do not need it.
constexpr const char* kAroundSequence = R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[1,1024] x, int64 i) => (float[1,1024] y) {
    [one] a = Exp(x)
    [maker] q = SequenceConstruct(a, x)
    [other] b = Neg(a)
    [reader] c = SequenceAt(q, i)
    [last] y = Add(b, c)
  })";

std::vector<NodePart> groups_around_sequence(const GroupSize& size) {
  const WholeModel model(graphsurgeon::parse_onnx_text(kAroundSequence), {});
  ValueMap feed;
  feed.set("x", Array::zeros(DataType::kFloat32, {1, 1024}));
  feed.set("i", Array::of<int64_t>({}, {0}));
  return node_groups(model, {{0}, {1}, {2, 4}, {3}}, feed, size);
}

TEST(NodeGroups, ModelsAreNotCutAtASequence) {
  constexpr uint64_t kSequence = uint64_t{1} << 20;  // the assumed size
  EXPECT_THAT(groups_around_sequence({.bytes = kSequence + 9000, .models = true}),
              ElementsAre(ElementsAre(0, 1, 3), ElementsAre(2, 4)));
  EXPECT_THAT(groups_around_sequence({.bytes = kSequence + 17000, .models = true}),
              ElementsAre(ElementsAre(0, 1, 2, 3, 4)));
  EXPECT_THAT([] { groups_around_sequence({.bytes = 9000, .models = true}); },
              testing::ThrowsMessage<Error>(testing::HasSubstr(
                  "cannot be cut into parts at 'q', which is not a tensor: the 2 nodes that make "
                  "it, read it, or lie between, from 'maker' to 'reader', do not fit")));
  EXPECT_EQ(groups_around_sequence({.bytes = 9000}).size(), 5U);
}

// Each of 'q' and 'r' needs the other one's nodes: a part of both is not cut in between.
TEST(NodeGroups, SequencesThatNeedEachOtherAreInOneModel) {
  constexpr const char* kCrossed = R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4] x, int64 i) => (float[4] y, float[4] z) {
      [one] a = Exp(x)
      [q] q = SequenceConstruct(a)
      [r] r = SequenceConstruct(x)
      [of_q] b = SequenceAt(q, i)
      [of_r] c = SequenceAt(r, i)
      [q_of_r] q2 = SequenceInsert(q, c)
      [r_of_q] r2 = SequenceInsert(r, b)
      [y] y = SequenceAt(q2, i)
      [z] z = SequenceAt(r2, i)
    })";
  const WholeModel model(graphsurgeon::parse_onnx_text(kCrossed), {});
  ValueMap feed;
  feed.set("x", Array::zeros(DataType::kFloat32, {4}));
  feed.set("i", Array::of<int64_t>({}, {0}));
  std::vector<NodePart> nodes;
  for (size_t i = 0; i < model.nodes().size(); ++i) nodes.push_back({i});
  const uint64_t enough = (uint64_t{4} << 20) + 80;
  EXPECT_THAT(node_groups(model, nodes, feed, {.bytes = enough, .models = true}),
              ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8)));
  EXPECT_THROW(node_groups(model, nodes, feed, {.bytes = enough - 1, .models = true}), Error);
}

TEST(NodeGroups, ChainsOfAGroup) {
  const std::vector<NodePart> chains = {{0}, {1, 4}, {2, 3}};
  EXPECT_THAT(chains_in({0, 2, 3, 4}, chains), ElementsAre(ElementsAre(2, 3)));
}

}  // namespace
}  // namespace polygraphy
