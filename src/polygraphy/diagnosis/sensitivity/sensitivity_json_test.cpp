#include "polygraphy/diagnosis/sensitivity/sensitivity_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "polygraphy/diagnosis/sensitivity/exclusion_lists.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_text.h"

namespace polygraphy {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SensitivityResult result() {
  SensitivityResult made{.format = "int8", .limit = 0.01, .all_quantized = {"y", 0.5}};
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
  made.proved = OutputEffect{"y", 0.005};
  made.answer = {.agreement = Agreement::kAgrees, .total = 1, .compared = 1};
  made.found = made.cheapest = true;
  made.sessions = 4;
  made.tried = 64;
  made.samples = 1;
  made.notes = {"a note"};
  return made;
}

TEST(SensitivityJson, IsReadAsItIsWritten) {
  const std::string text = sensitivity_json(result());
  EXPECT_EQ(sensitivity_json(parse_sensitivity_json(text, "results")), text);
}

TEST(SensitivityJson, TokensAreReadAsTheyAreWritten) {
  SensitivityResult made = result();
  made.all_quantized.tokens = {0.5, 0.25};
  made.chosen.tokens = {0.125, 0.5};
  made.proved->tokens = {0.0625, 0.75};
  made.all_float = OutputEffect{.error = 0.5, .tokens = TokenEffect{0.25, 0.5}};
  made.layers[0].tokens = made.layers[1].tokens = TokenEffect{0.03125, 1};
  const std::string text = sensitivity_json(made);
  const SensitivityResult read = parse_sensitivity_json(text, "results");
  EXPECT_EQ(sensitivity_json(read), text);
  EXPECT_EQ(read.proved->tokens->divergence, 0.0625);
  EXPECT_EQ(read.all_float->error, 0.5);
  EXPECT_EQ(read.all_float->tokens->divergence, 0.25);
  EXPECT_EQ(read.layers[1].tokens->divergence, 0.03125);
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

TEST(SensitivityText, SaysHowManySetsWereTriedIfCheaperOnesAreLeft) {
  SensitivityResult made = parse_sensitivity_json(sensitivity_json(result()), "results");
  EXPECT_THAT(sensitivity_summary(made), Not(HasSubstr("64 sets")));
  made.cheapest = false;
  EXPECT_THAT(sensitivity_summary(made),
              HasSubstr("Not all cheaper sets were tried: the search ended after 64 sets"));
}

TEST(SensitivityText, OfLogitsHasFiguresOfTokens) {
  SensitivityResult made = result();
  EXPECT_THAT(sensitivity_table(made), Not(HasSubstr("KL")));
  made.all_quantized.tokens = {0.5, 0.25};
  made.proved->tokens = {0.0625, 0.75};
  made.layers[0].tokens = {0.375, 0.25};
  EXPECT_THAT(sensitivity_table(made), HasSubstr("float    0.25  0.38   25 %"));
  EXPECT_THAT(sensitivity_summary(made),
              HasSubstr("off by 0.005 (KL 0.062, 75 % the same top-1), within the limit"));
}

TEST(SensitivityText, OfAnotherCheckHasItsSentence) {
  SensitivityResult made = result();
  made.limit.reset();
  made.answer.measure = "tokens";
  made.answer.agreement = Agreement::kDiffers;
  made.answer.off = made.answer.compared = made.answer.total = 1;
  made.answer.tokens = TokenCounts{.tokens = 24, .flips = 2, .wrong = 2, .first_wrong = "y[1]"};
  EXPECT_THAT(sensitivity_summary(made), HasSubstr("600 B saved. " + headline(made.answer)));
  const std::string text = sensitivity_json(made);
  const SensitivityResult read = parse_sensitivity_json(text, "results");
  EXPECT_EQ(sensitivity_json(read), text);
  EXPECT_EQ(headline(read.verdict()), headline(made.verdict()));
}

TEST(Sensitivity, ToolsGetTheNodesThatStay) {
  EXPECT_THAT(exclusion_lists(result()), HasSubstr("\"nodes_to_exclude\""));
}

TEST(Sensitivity, LayersOfOneNodeAreToldByTheirWeights) {
  SensitivityResult made = result();
  made.layers[1] = made.layers[0];
  made.layers[1].weight = "v";
  EXPECT_EQ(layer_name(made.layers[0], result()), "a, b");
  EXPECT_EQ(layer_name(made.layers[0], made), "a, b (w)");
  EXPECT_THAT(sensitivity_table(made), HasSubstr("a, b (v)"));
  EXPECT_EQ(exclusion_lists(made), exclusion_lists(result())) << "a node is excluded once";
}

}  // namespace
}  // namespace polygraphy
