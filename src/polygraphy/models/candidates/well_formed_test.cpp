#include "polygraphy/models/candidates/well_formed.h"

#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;

Model model(const std::string& nodes) {
  return graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2, 3] x) => (float[m, n] y) { )" +
                                       nodes + " }");
}

TEST(WellFormed, NoMoreFaultIsAcceptedThanTheModelHasItself) {
  const Model right = model("y = Transpose <perm = [1, 0]> (x)");
  const Model wrong = model("y = Transpose <perm = [2, 0, 1]> (x)");
  Judgements known_of_right, known_of_wrong;
  WellFormed beside_right(right, known_of_right), beside_wrong(wrong, known_of_wrong);
  EXPECT_FALSE(beside_right.is_contradiction());
  EXPECT_TRUE(beside_wrong.is_contradiction());
  Model candidate = model("y = Transpose <perm = [2, 0, 1]> (x)");
  EXPECT_FALSE(beside_right.accepts(candidate));
  EXPECT_TRUE(beside_wrong.accepts(candidate));
}

TEST(Probe, IsJudgedOnceHoweverOftenASearchIsRun) {
  const Model failing = model("y = Relu(x)");
  Judgements known;
  int made = 0;
  for (int run = 0; run < 3; ++run) {
    WellFormed judge(failing, known);
    const auto make = [&] {
      ++made;
      return model("y = Transpose <perm = [1, 0]> (x)");
    };
    Probe probe(judge, "key", make);
    EXPECT_TRUE(probe.accepted());
  }
  EXPECT_EQ(made, 1);
}

TEST(Probe, IsMadeAgainWhereItIsAskedAbout) {
  const Model failing = model("y = Relu(x)");
  Judgements known = {{"key", true}};
  WellFormed judge(failing, known);
  Probe probe(judge, "key", [] { return model("y = Transpose <perm = [1, 0]> (x)"); });
  ASSERT_TRUE(probe.accepted());
  EXPECT_EQ(probe.model().graph->outputs()[0]->declared_shape()->at(0).value(), 3);
}

TEST(Probe, WhatCannotBeMadeIsNotAccepted) {
  const Model failing = model("y = Relu(x)");
  Judgements known;
  WellFormed judge(failing, known);
  Probe probe(judge, "key", [] { return std::nullopt; });
  EXPECT_FALSE(probe.accepted());
}

}  // namespace
}  // namespace polygraphy
