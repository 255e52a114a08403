#include "polygraphy/diagnosis/locate/report/locate_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <variant>

#include "base/error.h"
#include "polygraphy/diagnosis/locate/report/locate_json.h"
#include "polygraphy/diagnosis/locate/report/locate_text.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

JudgedError judged(double relative, double noise) {
  JudgedError judged;
  judged.error.elements = 4;
  judged.error.reference_norm = judged.error.observed_norm = 1;
  judged.error.norm = judged.error.largest = relative;
  judged.error.worst = 2;
  judged.error.worst_reference = 0.5;
  judged.error.worst_observed = 0.5 + relative;
  judged.noise_norm = judged.noise_largest = noise;
  judged.ratio = relative / noise;
  return judged;
}

// a -> b -> c, where b is guilty and c its victim.
LocateResult three_nodes() {
  LocateResult result{.reference = "one", .target = "other", .format = NumberFormat::kBfloat16};
  result.samples = 1;
  const auto add = [&](const char* name, NodeVerdict verdict, double alone, double in_place) {
    NodeFinding finding{.position = result.in_order.size(), .node = name, .op = "Relu"};
    finding.tensor = std::string(name) + "_out";
    finding.reads = {std::string(name) + "_in"};
    finding.verdict = verdict;
    finding.format = "bfloat16";
    finding.isolated = judged(alone, 1e-3);
    finding.accumulated = judged(in_place, 1e-3);
    result.in_order.push_back(finding);
  };
  add("a", NodeVerdict::kNoise, 1e-3, 1e-3);
  add("b", NodeVerdict::kGuilty, 0.2, 0.2);
  add("c", NodeVerdict::kVictim, 1e-3, 0.3);
  result.nodes = {result.in_order[1], result.in_order[2], result.in_order[0]};
  result.outputs = {"c_out"};
  return result;
}

template <typename Section>
const Section& find(const std::vector<ReportSection>& sections, const std::string& title) {
  for (const ReportSection& section : sections) {
    const auto* found = std::get_if<Section>(&section);
    if (found && found->title.starts_with(title)) return *found;
  }
  throw Error("no section " + title);
}

TEST(LocatePageTest, TheVerdictComesFirst) {
  const auto sections = locate_sections(three_nodes());
  const auto& verdict = std::get<ReportVerdict>(sections.front());
  EXPECT_EQ(verdict.mark, ReportMark::kBad);
  EXPECT_THAT(verdict.headline, HasSubstr("1 of 3 nodes is guilty"));
  EXPECT_THAT(verdict.lines.front(), HasSubstr("'b'"));
}

TEST(LocatePageTest, CurvesGoInTheOrderOfData) {
  const auto sections = locate_sections(three_nodes());
  const auto& curve = find<ReportCurve>(sections, "Errors along the model");
  EXPECT_THAT(curve.places, ElementsAre("a (Relu)", "b (Relu)", "c (Relu)"));
  EXPECT_THAT(curve.series[0].values, ElementsAre(1e-3, 0.2, 0.3));
  EXPECT_THAT(curve.series[1].values, ElementsAre(1e-3, 0.2, 1e-3));
  EXPECT_THAT(curve.band, ElementsAre(1e-3, 1e-3, 1e-3));
  ASSERT_EQ(curve.marked.size(), 1u);
  EXPECT_EQ(curve.marked[0].place, 1u);
}

TEST(LocatePageTest, ConstantsAreInTheTableOnly) {
  LocateResult result = three_nodes();
  result.in_order[0].reads.clear();
  const auto sections = locate_sections(result);
  EXPECT_THAT(find<ReportCurve>(sections, "Errors along").places,
              ElementsAre("b (Relu)", "c (Relu)"));
  EXPECT_EQ(find<ReportCurve>(sections, "Errors along").marked[0].place, 0u);
  EXPECT_EQ(find<ReportTable>(sections, "All nodes").rows.size(), 3u);
}

TEST(LocatePageTest, TablesHaveAllNodesWorstFirst) {
  const auto sections = locate_sections(three_nodes());
  const auto& nodes = find<ReportTable>(sections, "All nodes");
  ASSERT_EQ(nodes.rows.size(), 3u);
  EXPECT_EQ(nodes.rows[0].mark, ReportMark::kBad);
  EXPECT_EQ(std::get<std::string>(nodes.rows[0].cells[2]), "b");
  for (const ReportTable::Row& row : nodes.rows) EXPECT_EQ(row.cells.size(), nodes.columns.size());
  const auto& elements = find<ReportTable>(sections, "Worst elements");
  EXPECT_EQ(elements.rows.size(), 2u);  // alone, and in place
}

TEST(LocatePageTest, ErrorsOfSmallNumbersAreShown) {
  LocateResult result = three_nodes();
  result.nodes[0].isolated->by_element = 1e6;
  result.nodes[0].accumulated->by_element = 2e6;
  result.nodes[0].reference_deviates = true;
  EXPECT_THAT(locate_summary(result),
              HasSubstr("200× the format's noise, in small numbers 1e+06× theirs"));
  EXPECT_THAT(locate_json(result), HasSubstr("\"by_element\": 2000000"));
  EXPECT_THAT(locate_json(result), HasSubstr("\"reference_deviates\": true"));
  const auto sections = locate_sections(result);
  const auto& nodes = find<ReportTable>(sections, "All nodes");
  EXPECT_EQ(nodes.columns[9].name, "Times noise, by element");
  EXPECT_EQ(std::get<double>(nodes.rows[0].cells[9]), 2e6);
}

TEST(LocatePageTest, WhereNothingIsOffTheVerdictIsGood) {
  LocateResult result = three_nodes();
  for (auto* list : {&result.nodes, &result.in_order}) {
    for (NodeFinding& finding : *list) finding.verdict = NodeVerdict::kNoise;
  }
  result.verdict.agreement = Agreement::kAgrees;
  EXPECT_EQ(std::get<ReportVerdict>(locate_sections(result).front()).mark, ReportMark::kGood);
}

}  // namespace
}  // namespace polygraphy
