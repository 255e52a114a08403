#include "polygraphy/comparison/verdict/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "polygraphy/comparison/verdict/tally.h"
#include "polygraphy/comparison/verdict/verdict_page.h"

namespace polygraphy {
namespace {

using ::testing::HasSubstr;

Verdict of(const Tally& tally) {
  Verdict verdict = tally.verdict();
  EXPECT_EQ(tally.differs(), verdict.agreement == Agreement::kDiffers);
  verdict.target = "openvino";
  verdict.reference = "onnxrt";
  verdict.measure = "simple";
  return verdict;
}

TEST(VerdictTest, NothingIsNoPass) {
  const Verdict verdict = of({});
  EXPECT_EQ(verdict.agreement, Agreement::kNotCompared);
  EXPECT_EQ(headline(verdict), "Nothing was compared");
  EXPECT_FALSE(verdict.passed());
  EXPECT_FALSE(verdict.failed());
  EXPECT_EQ(mark_of(verdict.agreement), ReportMark::kSkipped);
}

TEST(VerdictTest, SaysHowMuchAgrees) {
  Tally tally;
  tally.next_sample();
  tally.compared("y", true, 0.5);
  tally.not_compared("z");
  const Verdict verdict = of(tally);
  EXPECT_EQ(verdict.agreement, Agreement::kAgrees);
  EXPECT_EQ(verdict.compared, 1);
  EXPECT_EQ(verdict.total, 2);
  EXPECT_EQ(
      headline(verdict),
      "1 output of openvino and onnxrt agrees within the tolerances; 1 other was not compared");
}

// Of several units, the worst agreement counts, with the reason of the unit that is farthest off.
TEST(VerdictTest, TheWorstAgreementDecides) {
  const JudgedUnit fine{.name = "a", .agreement = Agreement::kAgrees, .reason = "by a rule"};
  const JudgedUnit infinite{
      .name = "b", .agreement = Agreement::kNotFinite, .reason = "all of 'b' is NaN"};
  const JudgedUnit coarse{
      .name = "c", .agreement = Agreement::kTooCoarse, .reason = "the noise is large"};
  const JudgedUnit off{.name = "d", .excess = 4};
  const JudgedUnit shape{.name = "e",
                         .excess = std::numeric_limits<double>::infinity(),
                         .reason = "'e' has other shapes"};
  const auto of_units = [](std::vector<JudgedUnit> units) {
    Tally tally;
    tally.add({.units = std::move(units)});
    return of(tally);
  };
  EXPECT_EQ(headline(of_units({fine})),
            "1 output of openvino and onnxrt agrees within the tolerances: by a rule");
  const Verdict verdict = of_units({fine, infinite});
  EXPECT_EQ(verdict.agreement, Agreement::kNotFinite);
  EXPECT_TRUE(verdict.failed());
  EXPECT_EQ(headline(verdict), "There are no finite numbers to compare: all of 'b' is NaN");
  EXPECT_EQ(headline(of_units({infinite, coarse, fine})),
            "The precision is too low: the noise is large");
  EXPECT_FALSE(of_units({coarse}).passed());
  EXPECT_EQ(of_units({coarse, off}).agreement, Agreement::kDiffers);
  EXPECT_EQ(of_units({coarse, off}).reason, "");
  EXPECT_EQ(headline(of_units({off, infinite, shape, fine})),
            "3 of 4 outputs of openvino and onnxrt differ by more than the tolerances, most 'e': "
            "'e' has other shapes");
}

TEST(VerdictTest, ThePartOfARunIsNamed) {
  Tally tally;
  tally.next_sample();
  tally.next_sample();
  tally.compared("y", true, 0.5);
  Verdict verdict = of(tally);
  verdict.place = "step 5";
  EXPECT_EQ(headline(verdict),
            "1 output of openvino and onnxrt in 2 samples at step 5 agrees within the tolerances");
}

TEST(VerdictTest, OutputsWithoutElementsAreNotCompared) {
  Tally tally;
  for (int sample = 0; sample < 2; ++sample) {
    tally.next_sample();
    tally.compared("x", true);
    tally.has_elements("x", false);
  }
  const Verdict nothing = of(tally);
  EXPECT_EQ(nothing.agreement, Agreement::kNotCompared);
  EXPECT_EQ(nothing.empty, 1);
  EXPECT_EQ(mark_of(nothing.agreement), ReportMark::kSkipped);
  EXPECT_EQ(headline(nothing),
            "Nothing was compared: 1 output of openvino and onnxrt has no elements");

  for (const bool any : {false, true}) {
    tally.compared("y", true);
    tally.has_elements("y", any);  // in the second sample
  }
  EXPECT_EQ(of(tally).agreement, Agreement::kAgrees);
  EXPECT_EQ(headline(of(tally)),
            "1 output of openvino and onnxrt in 2 samples agrees within the tolerances; 'x' has no "
            "elements");
  Tally more = tally;
  more.compared("a", true);
  more.has_elements("a", false);
  EXPECT_EQ(of(more).first_empty, "a");
  EXPECT_THAT(headline(of(more)), testing::EndsWith("; 'a' and 1 other have no elements"));
  EXPECT_EQ(joined(Verdict{.agreement = Agreement::kAgrees}, of(more)).first_empty, "a");

  tally.compared("x", false);  // of other shapes
  EXPECT_EQ(of(tally).agreement, Agreement::kDiffers);
  EXPECT_EQ(of(tally).empty, 0);
}

TEST(VerdictTest, SaysWhatDiffersAndHowFar) {
  Tally tally;
  for (int sample = 0; sample < 2; ++sample) {
    tally.next_sample();
    tally.compared("x", true, 0.1);
    tally.compared("y", false, 4.5);
    tally.compared("z", sample == 0, 2);
  }
  EXPECT_EQ(headline(of(tally)),
            "2 of 3 outputs of openvino and onnxrt in 2 samples differ by more than the "
            "tolerances, most 'y': 4.5× the limit");
}

TEST(VerdictTest, NamesOfRunnersHaveNoTime) {
  Tally tally;
  tally.compared("y", true);
  Verdict verdict = of(tally);
  verdict.target = "openvino-runner-N0-11/26/26-09:42:56";
  verdict.reference = "golden.json";
  EXPECT_EQ(headline(verdict),
            "1 output of openvino-runner-N0 and golden.json agrees within the tolerances");
}

TEST(VerdictTest, SavedResultsAndTheModelBesideThemAreNamed) {
  Tally tally;
  tally.compared("y", true);
  Verdict verdict = of(tally);
  verdict.target = "onnxrt-runner-N0-11/26/26-09:42:56";
  verdict.reference = "onnxrt-runner-N0-11/26/26-09:40:12";
  verdict.target_file = "models/int4.onnx";
  verdict.reference_file = "models/float.json";
  EXPECT_EQ(headline(verdict),
            "1 output of onnxrt-runner-N0 (int4.onnx) and onnxrt-runner-N0 (float.json) agrees "
            "within the tolerances");
  // Saved within the same second.
  verdict.reference += " (2)";
  EXPECT_THAT(headline(verdict), HasSubstr("(int4.onnx) and onnxrt-runner-N0 (float.json) agrees"));
  verdict.target_file = "int4/outputs.json";
  verdict.reference_file = "float/outputs.json";
  EXPECT_THAT(headline(verdict), HasSubstr("of onnxrt-runner-N0 (int4/outputs.json) and "
                                           "onnxrt-runner-N0 (float/outputs.json) agrees"));
}

// Files of other programs give their names to runners.
TEST(VerdictTest, AFileThatIsARunnerIsNamedOnce) {
  Tally tally;
  tally.compared("y", true);
  Verdict verdict = of(tally);
  verdict.target = "onnxrt-runner-N0";
  verdict.reference = "golden.npz";
  verdict.target_file = "int4.onnx";
  verdict.reference_file = "/tmp/golden.npz";
  EXPECT_EQ(headline(verdict),
            "1 output of onnxrt-runner-N0 (int4.onnx) and golden.npz agrees within the tolerances");
}

TEST(VerdictTest, WithoutAFigureTheFirstIsNamed) {
  Tally tally;
  tally.next_sample();
  tally.compared("y", false);
  tally.compared("z", false);
  EXPECT_THAT(
      headline(of(tally)),
      HasSubstr("2 outputs of openvino and onnxrt differ by more than the tolerances, first 'y'"));
}

TEST(VerdictTest, TheWorseOfTwoStays) {
  Tally good, bad;
  good.compared("a", true, 0.1);
  bad.compared("b", false, 3);
  const Verdict both = joined(of(good), of(bad));
  EXPECT_EQ(both.agreement, Agreement::kDiffers);
  EXPECT_EQ(both.compared, 2);
  EXPECT_EQ(both.worst, "b");
  EXPECT_EQ(joined(of(good), of({})).agreement, Agreement::kAgrees);
}

TEST(VerdictTest, SeveralPairsAreCounted) {
  Tally good, bad;
  good.compared("y", true);
  bad.compared("y", false, 3);
  Verdict reference = of(bad);
  reference.target = "reference";
  EXPECT_EQ(headline(joined_pairs(of(good), of(good))),
            "2 outputs of 2 pairs of runners agree within the tolerances");
  EXPECT_EQ(headline(joined_pairs(of(good), reference)),
            "1 of 2 outputs of 2 pairs of runners differs by more than the tolerances, most 'y' of "
            "reference and "
            "onnxrt: 3× the limit");
}

TEST(VerdictTest, TokensStandBeforeTheReason) {
  Tally tally;
  tally.add({.units = {{.name = "logits",
                        .agreement = Agreement::kAgrees,
                        .tokens = TokenCounts{.tokens = 4}}}});
  Verdict verdict = of(tally);
  verdict.reason = "the model ran in 2 parts";
  EXPECT_EQ(headline(verdict),
            "1 output of openvino and onnxrt agrees within the tolerances: 4 tokens, none flips; "
            "the model ran "
            "in 2 parts");
}

TEST(VerdictTest, CountsTokensOfAllSamples) {
  const JudgedUnit ties{.name = "logits",
                        .agreement = Agreement::kAgrees,
                        .tokens = TokenCounts{.tokens = 4, .flips = 1, .noise_known = true}};
  const JudgedUnit wrong{
      .name = "logits",
      .tokens = TokenCounts{
          .tokens = 6, .flips = 3, .wrong = 2, .first_wrong = "logits[0, 5]", .noise_known = true}};
  Tally tally;
  tally.add({.units = {ties}});
  EXPECT_EQ(headline(of(tally)),
            "1 output of openvino and onnxrt agrees within the tolerances: 1 of 4 tokens "
            "flips, at a near tie");
  tally.add({.units = {wrong}});
  const Verdict verdict = of(tally);
  EXPECT_EQ(verdict.agreement, Agreement::kDiffers);
  EXPECT_EQ(headline(verdict),
            "1 output of openvino and onnxrt in 2 samples differs by more than the tolerances, "
            "first 'logits': 4 of 10 tokens flip, 2 at near ties, 2 are wrong, "
            "the first is logits[0, 5] of sample 1");
}

}  // namespace
}  // namespace polygraphy
