#include "polygraphy/diagnosis/zoo/zoo_result.h"

#include <gmock/gmock.h>

#include "polygraphy/diagnosis/zoo/zoo_json.h"
#include "polygraphy/diagnosis/zoo/zoo_junit.h"
#include "polygraphy/diagnosis/zoo/zoo_text.h"

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

TEST(ZooStage, IsTheTypeOfAFailure) {
  EXPECT_THAT(to_junit(result_of_all_stages()),
              AllOf(HasSubstr("<error type=\"setup\" message=\"not loaded\">no model"),
                    HasSubstr("<error type=\"run\" message=\"crashed\">"),
                    HasSubstr("<failure type=\"compare\" message=\"differs\">")));
}

TEST(ZooStage, StandsInTheText) {
  EXPECT_THAT(to_text(result_of_all_stages()),
              AllOf(HasSubstr("b                 4 of 5  3 of 4  2 of 3   1 of 2"),
                    HasSubstr("1.onnx | b | load | crashed | It is so")));
}

}  // namespace
}  // namespace polygraphy
