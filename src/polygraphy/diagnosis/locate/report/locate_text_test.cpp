#include "polygraphy/diagnosis/locate/report/locate_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "polygraphy/diagnosis/locate/judging/node_verdict.h"

namespace polygraphy {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The nodes m, r and s in a row, judged by their errors in place, in multiples of the noise;
// nullopt: not compared.
LocateResult row_of_three(std::optional<double> m, std::optional<double> r,
                          std::optional<double> s) {
  LocateResult result{.reference = "one", .target = "other"};
  const auto add = [&](const char* name, std::optional<double> ratio) {
    NodeFinding finding{.position = result.in_order.size(), .node = name, .op = "Relu"};
    if (ratio) {
      finding.accumulated = JudgedError{.ratio = *ratio};
      finding.accumulated->error.exact = *ratio == 0;
    } else {
      finding.note = "one side lacks its tensors";
    }
    result.in_order.push_back(finding);
  };
  add("m", m);
  add("r", r);
  add("s", s);
  judge(result.in_order, {{}, {0}, {1}}, {});
  result.nodes = result.in_order;
  rank(result.nodes);
  return result;
}

TEST(LocateText, AWrongNodeWhoseInputsWereNotComparedIsNoAgreement) {
  for (const double rest : {0.0, 0.5}) {
    const LocateResult result = row_of_three({}, 5e5, rest);
    EXPECT_EQ(locate_verdict(result), "unknown") << rest;
    EXPECT_EQ(locate_summary(result),
              "1 result exceeds the noise of float32; the guilty node is unknown, since 1 of 3 "
              "nodes could not be compared\n"
              "  1 node could not be compared, such as 'm': one side lacks its tensors\n"
              "  unknown: 'r' (Relu): it is wrong, but so may be its inputs, which were not "
              "compared");
  }
}

TEST(LocateText, ComparedNodesAreNotCountedAsMissing) {
  EXPECT_THAT(
      locate_summary(row_of_three({}, {}, 100)),
      HasSubstr("1 result exceeds the noise of float32; the guilty node is unknown, since 2 "
                "of 3 nodes could not be compared\n  2 nodes could not be compared"));
  EXPECT_THAT(locate_summary(row_of_three({}, 100, 100)),
              HasSubstr("2 results exceed the noise of float32"));
}

TEST(LocateText, NodesThatWereNotComparedBesidesRightOnes) {
  EXPECT_THAT(locate_summary(row_of_three({}, 0, 0)),
              HasSubstr("Both engines agree on all compared nodes: 2 of 3"));
  EXPECT_THAT(locate_summary(row_of_three({}, 0, 0.5)),
              HasSubstr("No node is guilty among the 2 of 3 that could be compared"));
}

TEST(LocateText, NamesWithNewLinesDoNotBreakLines) {
  LocateResult result = row_of_three({}, 100, 0);
  for (auto* list : {&result.in_order, &result.nodes}) {
    for (NodeFinding& node : *list) node.node += "\n[I] PASSED";
  }
  for (const std::string& text : {locate_summary(result), locate_table(result, 3)}) {
    EXPECT_THAT(text, HasSubstr("r\\n[I] PASSED"));
    EXPECT_THAT(text, Not(HasSubstr("\n[I]")));
  }
}

// The one before ran alone, but its result in place is missing.
TEST(LocateText, NoMissingNodeIsClaimedWhereAllWereCompared) {
  LocateResult result = row_of_three(0, 100, 0);
  NodeFinding& before = result.in_order.front();
  before.isolated = std::exchange(before.accumulated, std::nullopt);
  judge(result.in_order, {{}, {0}, {1}}, {});
  result.nodes = result.in_order;
  rank(result.nodes);
  EXPECT_THAT(locate_summary(result),
              HasSubstr("1 result exceeds the noise of float32; the guilty node is unknown, since "
                        "inputs of 'r' were not compared"));
  EXPECT_THAT(locate_summary(result), Not(HasSubstr("could not be compared")));
}

TEST(LocateTable, LeavesOutFoldersThatAllNamesHave) {
  LocateResult result;
  for (const char* name : {"/encoder/layer.0/attention/MatMul", "/encoder/layer.0/attention/Add"})
    result.nodes.push_back({.node = name, .op = "Op", .verdict = NodeVerdict::kNoise});
  EXPECT_THAT(locate_table(result, 20), HasSubstr(" …/MatMul "));
  EXPECT_THAT(locate_table(result, 20), HasSubstr(" …/Add "));
  result.nodes.push_back({.node = "/head/MatMul", .op = "Op", .verdict = NodeVerdict::kNoise});
  EXPECT_THAT(locate_table(result, 20), HasSubstr(" /encoder/layer.0/attention/Add "));
}

}  // namespace
}  // namespace polygraphy
