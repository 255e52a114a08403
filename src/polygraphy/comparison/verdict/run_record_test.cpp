#include "polygraphy/comparison/verdict/run_record.h"

#include <gmock/gmock.h>

#include <limits>

#include "base/error.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

constexpr double kInf = std::numeric_limits<double>::infinity();

RunRecord record_of(std::vector<JudgedSample> samples) {
  return {.measure = "simple",
          .pairs = {{"onnxrt", "openvino", std::move(samples)}},
          .versions = {{"onnxrt", "1.31.0"}}};
}

JudgedSample sample_of(std::vector<JudgedUnit> units) {
  return {.units = std::move(units)};
}

TEST(RunRecordTest, IsTheSameAfterwards) {
  RunRecord record = record_of(
      {sample_of({{.name = "y", .agreement = Agreement::kAgrees},
                  {.name = "z", .excess = kInf},
                  {.name = "e", .agreement = Agreement::kNotCompared},
                  {.name = "c", .agreement = Agreement::kTooCoarse, .reason = "too \"coarse\""}})});
  record.pairs.front().samples.front().left = {"only here"};
  record.failed = {"openvino: crashed"};
  record.accuracy = "{\"lst\": []}\n";
  const std::string json = to_json(record);
  const RunRecord back = parse_run_record(json, "record");
  EXPECT_EQ(to_json(back), json);
  const JudgedSample& sample = back.pairs.front().samples.front();
  EXPECT_EQ(sample.units[1].excess, kInf);
  EXPECT_EQ(sample.units[2].agreement, Agreement::kNotCompared);
  EXPECT_EQ(sample.units[3].reason, "too \"coarse\"");
  EXPECT_THAT(sample.left, ElementsAre("only here"));
}

// Whatever the cuts are, the whole is the same.
TEST(RunRecordTest, PartsJoinToTheWhole) {
  std::vector<JudgedSample> samples;
  for (int i = 0; i < 7; ++i)
    samples.push_back(sample_of({{.name = "y",
                                  .agreement = i != 4 ? Agreement::kAgrees : Agreement::kDiffers,
                                  .excess = i / 4.0}}));
  const std::string whole = to_json(record_of(samples));
  for (size_t cut = 1; cut < samples.size(); ++cut) {
    const auto at = samples.begin() + static_cast<std::ptrdiff_t>(cut);
    RunRecord joined = record_of({samples.begin(), at});
    append(joined, record_of({at, samples.end()}));
    EXPECT_EQ(to_json(joined), whole);
    EXPECT_EQ(joined.verdict().agreement, Agreement::kDiffers);
    EXPECT_EQ(joined.verdict().samples, 7);
    EXPECT_EQ(joined.verdict().excess, 1.5);
  }
}

TEST(RunRecordTest, PartsAreOfOneRun) {
  const auto join = [](RunRecord other) {
    return [other] {
      RunRecord whole = record_of({});
      append(whole, other);
    };
  };
  RunRecord version = record_of({});
  version.versions.set("onnxrt", "1.30.0");
  EXPECT_THAT(join(version), ThrowsMessage<Error>("Version of onnxrt: '1.31.0' in one part of the "
                                                  "run, '1.30.0' in another"));
  RunRecord measure = record_of({});
  measure.measure = "l2";
  EXPECT_THAT(join(measure), ThrowsMessage<Error>(HasSubstr("Measure: 'simple'")));
  RunRecord runners = record_of({});
  runners.pairs.clear();
  EXPECT_THAT(join(runners), ThrowsMessage<Error>(HasSubstr("Runners: 'onnxrt vs. openvino'")));
}

TEST(RunRecordTest, AFailedRunnerDecides) {
  RunRecord record = record_of({sample_of({{.name = "y", .agreement = Agreement::kAgrees}})});
  EXPECT_EQ(record.verdict().agreement, Agreement::kAgrees);
  record.failed = {"openvino: crashed"};
  EXPECT_EQ(record.verdict().agreement, Agreement::kFailed);
}

TEST(RunRecordTest, TheWorstSamplesAreThoseWithTheLargestErrors) {
  const RunRecord record = record_of({
      sample_of({{.name = "y", .agreement = Agreement::kAgrees, .excess = 0.5}}),
      sample_of({{.name = "y", .agreement = Agreement::kAgrees, .excess = 0.1},
                 {.name = "z", .excess = 3}}),
      sample_of({{.name = "y"}}),  // fails without a number
      sample_of({{.name = "y", .agreement = Agreement::kAgrees, .excess = 0.5}}),
      sample_of({{.name = "y", .agreement = Agreement::kAgrees}}),
  });
  EXPECT_THAT(worst_samples(record, 3), ElementsAre(2, 1, 0));
  EXPECT_THAT(worst_samples(record, 100), ElementsAre(2, 1, 0, 3, 4));
  EXPECT_THAT(worst_samples(record, 0), IsEmpty());
}

TEST(RunRecordTest, TokensSurviveTheFile) {
  const TokenCounts counts{.tokens = 6,
                           .flips = 3,
                           .wrong = 2,
                           .first_wrong = "logits[0, 5]",
                           .noise_known = true,
                           .all_flips = {{.place = "logits[0, 4]"},
                                         {.place = "logits[0, 5]",
                                          .token = 3,
                                          .instead = 0,
                                          .margin = 0.5,
                                          .allowed = 0.25,
                                          .wrong = true}},
                           .distributions = 5,
                           .divergences = 2,
                           .squared_divergences = 1};
  const RunRecord record = record_of({sample_of({{.name = "logits", .tokens = counts}})});
  const RunRecord read = parse_run_record(to_json(record), "x.json");
  EXPECT_EQ(headline(read.verdict()), headline(record.verdict()));
  EXPECT_EQ(read.verdict().tokens->first_wrong, "logits[0, 5]");
  EXPECT_EQ(read.verdict().tokens->all_flips, counts.all_flips);
  EXPECT_DOUBLE_EQ(*read.verdict().tokens->mean_divergence(), 0.4);
  EXPECT_DOUBLE_EQ(*read.verdict().tokens->divergence_error(), 0.1);
}

// A token that can never follow on one side: its logit is -inf there.
TEST(RunRecordTest, AnInfiniteDivergenceHasNoStandardError) {
  TokenCounts whole{.distributions = 2, .divergences = 2, .squared_divergences = 2};
  EXPECT_DOUBLE_EQ(*whole.divergence_error(), 0);
  add(whole, {.distributions = 1, .divergences = kInf, .squared_divergences = kInf});
  EXPECT_EQ(whole.mean_divergence(), kInf);
  EXPECT_EQ(whole.divergence_error(), std::nullopt);
}

TEST(RunRecordTest, RefusesOtherDocuments) {
  EXPECT_THAT([] { static_cast<void>(parse_run_record("{}", "x.json")); },
              ThrowsMessage<FormatError>(HasSubstr("this is not a record of a run")));
  EXPECT_THROW(static_cast<void>(parse_run_record("{\"polygraphy_run_record\":1", "x")),
               FormatError);
}

}  // namespace
}  // namespace polygraphy
