#include "polygraphy/diagnosis/zoo/zoo_result.h"

#include <gmock/gmock.h>

#include "polygraphy/diagnosis/zoo/zoo_json.h"
#include "polygraphy/diagnosis/zoo/zoo_text.h"
#include "polygraphy/diagnosis/zoo/zoo_times.h"

namespace polygraphy {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Models that end in each stage on "b".
ZooResult result_of_all_stages() {
  const auto model = [](const std::string& name, ZooOutcome outcome, ZooStage stage) {
    return ZooModelResult{
        .model = name,
        .nodes = 3,
        .reference = "a",
        .engines = {{.engine = "a", .outcome = ZooOutcome::kPassed},
                    {.engine = "b", .outcome = outcome, .stage = stage, .reason = "It is so"}}};
  };
  return {.engines = {"a", "b"},
          .models = {{.model = "bad.onnx", .problem = "no model"},
                     model("1.onnx", ZooOutcome::kCrashed, ZooStage::kLoad),
                     model("2.onnx", ZooOutcome::kCrashed, ZooStage::kRun),
                     model("3.onnx", ZooOutcome::kDiffers, ZooStage::kCompare),
                     model("4.onnx", ZooOutcome::kPassed, ZooStage::kDone)}};
}

TEST(ZooStage, CountsModelsThatReachAndPassIt) {
  const auto counts = stage_counts(result_of_all_stages());
  ASSERT_EQ(counts.size(), 2U);
  EXPECT_EQ(counts[0].passed(ZooStage::kCompare), 4);
  const int64_t reached[] = {5, 4, 3, 2}, passed[] = {4, 3, 2, 1};
  for (size_t i = 0; i + 1 < kZooStages; ++i) {
    EXPECT_EQ(counts[1].reached(static_cast<ZooStage>(i)), reached[i]);
    EXPECT_EQ(counts[1].passed(static_cast<ZooStage>(i)), passed[i]);
  }
}

TEST(ZooStage, ComesBackFromJson) {
  const std::string json = to_json(result_of_all_stages());
  const ZooResult read = parse_zoo_json(json, "zoo.json");
  EXPECT_EQ(read.models[2].engines[1].stage, ZooStage::kRun);
  EXPECT_EQ(to_json(read), json);
}

// Such as a --baseline: outputs had no agreement then.
TEST(ZooStage, ReadsDocumentsOfEarlierVersions) {
  const ZooResult read = parse_zoo_json(
      R"({"polygraphy_zoo": 1, "engines": ["a"], "models": [{"model": "m", "engines": [{
          "engine": "a", "outcome": "differs", "outputs": [
          {"name": "y", "passed": true, "excess": 0.5},
          {"name": "z", "passed": false, "excess": "Infinity"}]}]}]})",
      "zoo.json");
  const auto& outputs = read.models[0].engines[0].outputs;
  EXPECT_EQ(outputs[0].agreement, Agreement::kAgrees);
  EXPECT_EQ(outputs[1].agreement, Agreement::kDiffers);
}

TEST(ZooStage, StandsInTheText) {
  EXPECT_THAT(to_text(result_of_all_stages()),
              AllOf(HasSubstr("b                 4 of 5  3 of 4  2 of 3   1 of 2"),
                    HasSubstr("1.onnx | b | crashed at load | It is so"),
                    HasSubstr("3.onnx | b | differs | It is so")));
}

TEST(ZooAnswer, CountsWhatItComparedAndNamesTheRest) {
  ZooResult result = result_of_all_stages();
  EXPECT_EQ(headline(result.verdict()),
            "1 of 2 models differs, first '3.onnx'; 3 others were not compared: 1 of 5: the "
            "file cannot be read; 2: b crashes");
  std::erase_if(result.models, [](const ZooModelResult& model) { return model.model == "3.onnx"; });
  const Verdict without = result.verdict();
  EXPECT_EQ(without.agreement, Agreement::kFailed);
  EXPECT_EQ(headline(without),
            "Could not be compared: 1 of 4: the file cannot be read; 2: b crashes");
  result.models.erase(result.models.begin(), result.models.begin() + 3);
  EXPECT_EQ(headline(result.verdict()), "1 model agrees");
}

TEST(ZooAnswer, IsNotGreenWithoutFiniteNumbers) {
  const ZooResult result{.engines = {"a"},
                         .models = {{.model = "nan.onnx",
                                     .nodes = 1,
                                     .reference = "a",
                                     .engines = {{.engine = "a",
                                                  .outcome = ZooOutcome::kNotFinite,
                                                  .stage = ZooStage::kCompare}}}}};
  EXPECT_EQ(headline(result.verdict()),
            "Could not be checked: 1 of 1: outputs of a are not finite");
  EXPECT_FALSE(passed(result.outcome()));
}

// A kill says nothing about a model: neither now nor in a baseline.
TEST(ZooAnswer, OfAKillIsNoVerdict) {
  ZooResult before = result_of_all_stages();
  std::erase_if(before.models, [](const ZooModelResult& model) { return model.model != "4.onnx"; });
  ZooResult now = before;
  ZooEngineResult& engine = now.models[0].engines[1];
  engine.outcome = ZooOutcome::kKilled;
  EXPECT_EQ(now.outcome(), ZooOutcome::kKilled);
  EXPECT_TRUE(now.was_killed() && !before.was_killed());
  EXPECT_EQ(headline(now.verdict()), "Could not be compared: 1 of 1: a process was killed");
  EXPECT_TRUE(worse_than(now, before).empty());
  EXPECT_TRUE(worse_than(before, now).empty());
  before.models[0].engines[1].outcome = ZooOutcome::kDiffers;
  ASSERT_EQ(worse_than(before, now).size(), 1U);
  EXPECT_EQ(worse_than(before, now)[0].before, std::nullopt);
}

TEST(ZooCost, IsInItsOwnJsonOnly) {
  ZooResult measured = result_of_all_stages();
  measured.models[4].engines[1].cost = {
      .load_seconds = 0.5, .run_seconds = 0.25, .peak_bytes = int64_t{3} << 20};
  EXPECT_EQ(to_json(measured), to_json(result_of_all_stages()));

  const std::string times = times_json(measured);
  ZooResult read = result_of_all_stages();
  add_times(times, "times.json", read);
  EXPECT_EQ(times_json(read), times);
  EXPECT_EQ(read.models[4].engines[1].cost.peak_bytes, int64_t{3} << 20);
  EXPECT_EQ(read.models[4].engines[0].cost.load_seconds, std::nullopt);
  EXPECT_THAT(to_text(read), HasSubstr("b     0.5 s  0.25 s        3 MiB"));
}

TEST(ZooCost, OfOtherModelsIsLeftOut) {
  ZooResult other = result_of_all_stages();
  for (ZooModelResult& model : other.models) {
    model.model += "x";
    for (ZooEngineResult& engine : model.engines) engine.cost.load_seconds = 1;
  }
  ZooResult result = result_of_all_stages();
  add_times(times_json(other), "times.json", result);
  EXPECT_EQ(times_json(result), times_json(result_of_all_stages()));
  EXPECT_THROW(add_times("{}", "times.json", result), Error);
}

}  // namespace
}  // namespace polygraphy
