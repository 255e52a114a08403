#include "polygraphy/diagnosis/locate/judging/node_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "polygraphy/diagnosis/locate/judging/judged_error.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;

JudgedError off_by(double relative, double noise) {
  JudgedError judged{.error = {.elements = 1,
                               .reference_norm = 1,
                               .norm = relative,
                               .largest = relative,
                               .exact = relative == 0},
                     .noise_norm = noise,
                     .noise_largest = noise};
  judged.ratio = noise_ratio(judged.error, noise, noise, 0);
  return judged;
}

NodeFinding node(const std::string& name, std::optional<JudgedError> alone,
                 std::optional<JudgedError> in_place) {
  NodeFinding finding{.node = name};
  finding.isolated = std::move(alone);
  finding.accumulated = std::move(in_place);
  return finding;
}

std::vector<std::string> ranked(std::vector<NodeFinding> findings) {
  std::vector<std::vector<size_t>> producers;  // a chain
  for (size_t i = 0; i < findings.size(); ++i)
    producers.push_back(i == 0 ? std::vector<size_t>{} : std::vector<size_t>{i - 1});
  judge(findings, producers, {});
  rank(findings);
  std::vector<std::string> lines;
  for (const NodeFinding& finding : findings)
    lines.push_back(finding.node + ": " + std::string(name_of(finding.verdict)));
  return lines;
}

TEST(Verdict, TheGuiltyComeBeforeTheirVictims) {
  EXPECT_THAT(ranked({node("a", off_by(0, 1e-7), off_by(0, 1e-7)),
                      node("b", off_by(1e-3, 1e-7), off_by(1e-3, 1e-7)),
                      node("c", off_by(1e-7, 1e-7), off_by(1e-1, 1e-7)),
                      node("d", off_by(1e-7, 1e-7), off_by(1e-7, 1e-7))}),
              ElementsAre("b: guilty", "c: victim", "d: noise", "a: exact"));
}

TEST(Verdict, AmplifiersStandBetween) {
  std::vector<NodeFinding> findings = {node("a", off_by(1e-4, 1e-6), off_by(1e-4, 1e-6)),
                                       node("b", off_by(0, 1e-6), off_by(1e-1, 1e-6)),
                                       node("c", off_by(0, 1e-6), off_by(2e-1, 1e-6))};
  findings[1].amplification = 14;
  findings[2].amplification = 6;
  EXPECT_THAT(ranked(findings), ElementsAre("a: guilty", "b: amplifier", "c: victim"));
}

TEST(Verdict, ANeighbourhoodIsWrongFromItsFirstNodeOn) {
  std::vector<NodeFinding> chain = {node("a", off_by(0, 1e-7), off_by(0, 1e-7)),
                                    node("b", off_by(0, 1e-7), off_by(1e-2, 1e-7)),
                                    node("c", off_by(0, 1e-7), off_by(1e-2, 1e-7))};
  for (NodeFinding& finding : chain) finding.neighbourhood = {"a", "b", "c"};
  // Only the last result of a neighbourhood is measured there.
  chain[2].neighbours = off_by(1e-2, 1e-7);
  EXPECT_THAT(ranked(chain), ElementsAre("b: guilty in place", "c: victim", "a: exact"));
  // One that is off alone explains the others.
  chain[0].isolated = chain[0].accumulated = off_by(1e-2, 1e-7);
  EXPECT_THAT(ranked(chain), ElementsAre("a: guilty", "b: victim", "c: victim"));
}

TEST(Verdict, ANeighbourhoodOfNumbersThatTheFormatDoesNotHoldIsNotAccused) {
  std::vector<NodeFinding> chain = {node("a", off_by(0, 1e-3), off_by(0, 1e-3)),
                                    node("b", off_by(1e-3, 1e-3), off_by(2e-3, 1e-3))};
  for (NodeFinding& finding : chain) finding.neighbourhood = {"a", "b"};
  chain[1].neighbours = off_by(1, 1e-3);
  EXPECT_THAT(ranked(chain), ElementsAre("b: guilty in place", "a: exact"));
  chain[0].headroom = 0.5;
  EXPECT_THAT(ranked(chain), ElementsAre("a: overflow", "b: noise"));
}

TEST(Verdict, ANeighbourhoodWhoseResultIsOrdinaryInPlaceIsNotAccused) {
  std::vector<NodeFinding> chain = {node("a", off_by(0, 1e-3), off_by(0, 1e-3)),
                                    node("b", off_by(1e-3, 1e-3), off_by(9e-4, 1e-3))};
  for (NodeFinding& finding : chain) finding.neighbourhood = {"a", "b"};
  chain[1].neighbours = off_by(1e-2, 1e-3);
  EXPECT_THAT(ranked(chain), ElementsAre("b: noise", "a: exact"));
}

TEST(Verdict, ANodeThatAgreesInPlaceIsNotGuilty) {
  EXPECT_THAT(ranked({node("a", off_by(1e-2, 1e-7), off_by(0, 1e-7))}), ElementsAre("a: noise"));
}

TEST(Verdict, ErrorsInPlaceBeyondTheNoiseOfOrdinaryInputsAreTheNodesOwn) {
  EXPECT_THAT(ranked({node("a", off_by(0, 1e-7), off_by(1e-7, 1e-7)),
                      node("b", off_by(0, 1e-7), off_by(1e-3, 1e-7))}),
              ElementsAre("b: guilty in place", "a: noise"));
  EXPECT_THAT(ranked({node("a", off_by(0, 1e-7), off_by(2e-7, 1e-7)),
                      node("b", off_by(0, 1e-7), off_by(1e-3, 1e-7))}),
              ElementsAre("b: victim", "a: noise"));
}

// Scores with a mask: their norm is that of the mask.
TEST(Verdict, InputsWithManySmallNumbersThatAreOffAreNotRight) {
  std::vector<NodeFinding> chain = {node("a", off_by(1e-2, 1e-7), off_by(1e-2, 1e-7)),
                                    node("b", off_by(0, 1e-7), off_by(4e-9, 1e-7)),
                                    node("c", off_by(0, 1e-7), off_by(1e-2, 1e-7))};
  chain[1].accumulated->by_element = 10.5;
  EXPECT_THAT(ranked(chain), ElementsAre("a: guilty", "c: victim", "b: noise"));
  // Elements vary more than norms.
  chain[1].accumulated->by_element = 5.5;
  EXPECT_THAT(ranked(chain), ElementsAre("a: guilty", "c: guilty in place", "b: noise"));
}

TEST(Verdict, ANodeThatMovesTheErrorsOfItsInputsIsNotGuilty) {
  std::vector<NodeFinding> chain = {node("a", off_by(0, 1e-7), off_by(1e-7, 1e-7)),
                                    node("b", off_by(0, 1e-9), off_by(1e-7, 1e-9))};
  EXPECT_THAT(ranked(chain), ElementsAre("b: guilty in place", "a: noise"));
  chain[1].moves = true;
  EXPECT_THAT(ranked(chain), ElementsAre("b: victim", "a: noise"));
  chain[1].accumulated = off_by(2e-7, 1e-9);
  EXPECT_THAT(ranked(chain), ElementsAre("b: guilty in place", "a: noise"));
}

TEST(Verdict, SmallNumbersOfAGuiltyNodeExplainOthers) {
  std::vector<NodeFinding> chain = {node("a", off_by(1e-2, 1e-7), off_by(2e-7, 1e-7)),
                                    node("b", off_by(0, 1e-7), off_by(1e-2, 1e-7))};
  chain[0].accumulated->by_element = 1e6;
  chain[1].neighbours = off_by(1e-2, 1e-7);
  EXPECT_THAT(ranked(chain), ElementsAre("a: guilty", "b: victim"));
}

TEST(Verdict, SmallNumbersBesideLargeOnes) {
  std::vector<NodeFinding> chain = {node("a", off_by(1e-11, 1e-7), off_by(1e-11, 1e-7)),
                                    node("b", off_by(0, 1e-7), off_by(1e-2, 1e-7))};
  chain[0].isolated->by_element = chain[0].accumulated->by_element = 1e6;
  EXPECT_THAT(ranked(chain), ElementsAre("a: guilty", "b: victim"));
  // Nothing shows them.
  chain[1].accumulated = off_by(0, 1e-7);
  EXPECT_THAT(ranked(chain), ElementsAre("a: noise", "b: exact"));
}

TEST(Verdict, WhereTheReferenceDeviatesTheTargetIsNotGuilty) {
  std::vector<NodeFinding> one = {node("a", off_by(0, 1e-7), off_by(1e-2, 1e-7))};
  one[0].reference_deviates = true;
  EXPECT_THAT(ranked(one), ElementsAre("a: reference deviates"));
  // Whether or not its inputs were compared, and whatever it amplifies.
  std::vector<NodeFinding> chain = {node("a", {}, {}), node("b", {}, off_by(1e-2, 1e-7)),
                                    node("c", off_by(0, 1e-7), off_by(1e-1, 1e-7))};
  chain[1].reference_deviates = chain[2].reference_deviates = true;
  chain[2].amplification = 10;
  EXPECT_THAT(ranked(chain),
              ElementsAre("b: reference deviates", "c: reference deviates", "a: unknown"));
}

TEST(Verdict, WithoutRunsAloneTheFirstThatIsOffIsGuilty) {
  EXPECT_THAT(ranked({node("a", {}, off_by(0, 1e-7)), node("b", {}, off_by(1e-3, 1e-7)),
                      node("c", {}, off_by(1, 1e-7))}),
              ElementsAre("b: guilty", "c: victim", "a: exact"));
}

TEST(Verdict, TheReasonForAMissingRunAloneIsKept) {
  std::vector<NodeFinding> chain = {node("a", {}, {}), node("b", {}, off_by(1e-3, 1e-7))};
  chain[1].note = "no kernel for Tanh";
  judge(chain, {{}, {0}}, {});
  EXPECT_EQ(chain[1].verdict, NodeVerdict::kUnknown);
  EXPECT_EQ(chain[1].note,
            "no kernel for Tanh; it is wrong, but so may be its inputs, which were not compared");
}

TEST(Verdict, NonFiniteNumbersOfFiniteOnes) {
  JudgedError torn = off_by(0, 1e-7);
  torn.error.non_finite_mismatches = 1;
  torn.ratio = noise_ratio(torn.error, 0, 0, 0);
  EXPECT_TRUE(std::isinf(torn.ratio));
  EXPECT_THAT(ranked({node("a", torn, torn), node("b", off_by(0, 0), torn)}),
              ElementsAre("a: non-finite", "b: victim"));
}

TEST(Verdict, NonFiniteNumbersOnBothSidesAreToldWhereTheyBegin) {
  NodeFinding begins = node("b", off_by(0, 1e-7), off_by(0, 1e-7));
  begins.finite = false;
  NodeFinding goes_on = node("c", off_by(0, 1e-7), off_by(0, 1e-7));
  goes_on.finite = goes_on.finite_inputs = false;
  EXPECT_THAT(ranked({node("a", off_by(0, 1e-7), off_by(0, 1e-7)), begins, goes_on}),
              ElementsAre("b: non-finite in both", "a: exact", "c: exact"));
}

TEST(Verdict, WhatTheFormatDoesNotHoldIsNobodysFault) {
  JudgedError torn = off_by(0, 1e-3);
  torn.error.non_finite_mismatches = 1;
  NodeFinding overflow = node("a", torn, torn);
  overflow.headroom = 0.5;
  torn.noise_torn = true;
  const NodeFinding reader = node("c", torn, torn);
  NodeFinding near = node("b", off_by(1e-3, 1e-3), off_by(1e-3, 1e-3));
  near.headroom = 1.5;
  EXPECT_THAT(ranked({near, overflow, reader}),
              ElementsAre("a: overflow", "c: victim", "b: overflow-risk"));
}

TEST(Verdict, ATensorOfAnotherShapeInPlaceAccusesNoNode) {
  JudgedError other = off_by(1, 1e-7);
  other.error.incomparable = "shapes (1, 8) and (0, 8)";
  other.ratio = noise_ratio(other.error, 0, 0, 0);
  std::vector<NodeFinding> chain = {node("a", off_by(0, 1e-7), other),
                                    node("b", off_by(0, 1e-7), other)};
  EXPECT_THAT(ranked(chain), ElementsAre("b: victim", "a: unknown"));
  judge(chain, {{}, {0}}, {});
  EXPECT_EQ(chain[0].note, "in place it has shapes (1, 8) and (0, 8)");
  chain[0].isolated = other;
  EXPECT_EQ(ranked(chain).front(), "a: guilty");
}

// A mask of -1e9 in float16, and the Softmax that reads it.
TEST(Verdict, AnOverflowThatNoResultShowsIsNoFault) {
  JudgedError torn = off_by(1e-3, 1e-3);
  torn.error.non_finite_mismatches = 1;
  torn.noise_torn = true;
  std::vector<NodeFinding> chain = {node("mask", torn, torn), node("cast", off_by(0, 1e-3), torn),
                                    node("softmax", off_by(0, 1e-3), off_by(1e-3, 1e-3)),
                                    node("y", off_by(0, 1e-3), off_by(1e-3, 1e-3))};
  chain[0].headroom = 1e-4;
  chain[2].accumulated->error.largest_number = 1;
  EXPECT_THAT(ranked(chain),
              ElementsAre("cast: victim", "mask: overflow-risk", "softmax: noise", "y: noise"));
  // Numbers are lost behind it: noise as large as they are.
  chain[2].accumulated->noise_largest = 0.34;
  EXPECT_EQ(ranked(chain).front(), "mask: overflow");
  chain[2].accumulated->noise_largest = 0.32;
  EXPECT_EQ(ranked(chain).front(), "cast: victim");
  // An output has its infinities.
  EXPECT_THAT(ranked({chain[0], chain[1]}), ElementsAre("mask: overflow", "cast: victim"));
  chain[0].makes = {"y"};
  judge(chain, {{}, {0}, {1}, {2}}, {.outputs = {"y"}});
  EXPECT_EQ(chain[0].verdict, NodeVerdict::kOverflows);
}

}  // namespace
}  // namespace polygraphy
