#include "polygraphy/diagnosis/sensitivity/sensitivity_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "polygraphy/diagnosis/sensitivity/exclusion_lists.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_text.h"

namespace polygraphy {
namespace {

using ::testing::HasSubstr;

SensitivityResult result() {
  SensitivityResult made{.format = "int8", .limit = 0.01, .output = "y", .all_quantized = 0.5};
  made.layers = {{.nodes = {"a", "b"},
                  .op = "MatMul",
                  .weight = "w",
                  .shape = {2, 3},
                  .sqnr = std::numeric_limits<double>::infinity(),
                  .effect = 0.25,
                  .float_bytes = 2400,
                  .quantized_bytes = 600,
                  .kept = true,
                  .channels = {.channels = 3, .worst = 2, .outlier = 8, .kurtosis = 3}},
                 {.nodes = {"c"}, .op = "Conv", .float_bytes = 800, .quantized_bytes = 200}};
  made.proved = 0.005;
  made.found = made.cheapest = true;
  made.sessions = 4;
  made.samples = 1;
  made.notes = {"a note"};
  return made;
}

TEST(SensitivityJson, IsReadAsItIsWritten) {
  const std::string text = sensitivity_json(result());
  EXPECT_EQ(sensitivity_json(parse_sensitivity_json(text, "results")), text);
}

TEST(SensitivityJson, OtherDocumentsAreRefused) {
  EXPECT_THROW(parse_sensitivity_json("{}", "results"), FormatError);
  EXPECT_THROW(parse_sensitivity_json(R"({"layers": [{"effect": "much"}]})", "results"),
               FormatError);
  EXPECT_THROW(parse_sensitivity_json(R"({"layers": [{"float_bytes": -1}]})", "results"),
               FormatError);
}

TEST(SensitivityText, NamesWhatStays) {
  EXPECT_THAT(sensitivity_table(result()), HasSubstr("a, b   MatMul    float    0.25   inf"));
  EXPECT_THAT(sensitivity_summary(result()),
              HasSubstr("1 layer in floating point (1.8 KiB): off by 0.005, within the limit of "
                        "0.01, as the mixed model runs; 600 B saved"));
}

TEST(Sensitivity, TheVerdictIsThatOfTheMixedModel) {
  SensitivityResult made = result();
  EXPECT_EQ(made.verdict().agreement, Agreement::kAgrees);
  made.proved = 0.02;
  EXPECT_EQ(made.verdict().agreement, Agreement::kDiffers);
  EXPECT_EQ(made.verdict().worst, "y");
  EXPECT_DOUBLE_EQ(*made.verdict().excess, 2);
}

TEST(Sensitivity, ToolsGetTheNodesThatStay) {
  EXPECT_THAT(exclusion_lists(result()), HasSubstr("\"nodes_to_exclude\""));
}

}  // namespace
}  // namespace polygraphy
